import { Session } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendStep, assistant, naiveSurface, steps, user } from './support/events.js'

describe('deriveMessages', () => {
  it('gives the surface’s messages, however often and whenever it is asked', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (list, asks) => {
        const session = new Session('s')
        list.forEach((step, index) => {
          appendStep(session, step)
          if (asks[index]) expectHistory(session)
        })
        expectHistory(session)
        expect(new Session('t', session.events).deriveMessages()).toEqual(session.deriveMessages())
      }),
      { numRuns: 300 },
    )
  })

  it('gives a fresh array of the very messages in the log', () => {
    const session = new Session('s')
    session.append('user/message', user('a'), { surfaceOp: 'append' })
    const first = session.deriveMessages()
    session.append('user/message', user('b'), { surfaceOp: 'append' })
    expect(first).toHaveLength(1)
    expect(session.deriveMessages()[0]).toBe(first[0])
    expect(first[0]).toBe(session.eventAt(0).data)
  })

  it('leaves an assistant message without content out, also after a replacement around it', () => {
    const session = new Session('s')
    const append = { surfaceOp: 'append' as const }
    session.append('user/message', user('a'), append)
    session.append('assistant/message', { turn: 1, step: 1, message: assistant('') }, append)
    session.append('user/message', user('b'), append)
    expect(session.deriveMessages()).toEqual([user('a'), user('b')])
    session.append('user/message', user('s'), {
      surfaceOp: { op: 'replace', start: 0, end: 1 },
      sourceEventSeqs: [0, 1],
    })
    expect(session.deriveMessages()).toEqual([user('s'), user('b')])
  })

  it('survives a replacement of everything it has seen', () => {
    const session = new Session('s')
    session.append('user/message', user('a'), { surfaceOp: 'append' })
    session.deriveMessages()
    session.append('user/message', user('s'), { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] })
    session.append('user/message', user('b'), { surfaceOp: 'append' })
    expect(session.deriveMessages()).toEqual([user('s'), user('b')])
  })
})

function expectHistory(session: Session): void {
  const events = session.events
  const expected = naiveSurface(events)
    .map(seq => session.deriveEventMessage(events[seq]!))
    .filter(message => message !== null)
  const messages = session.deriveMessages()
  expect(messages.length).toBe(expected.length)
  messages.forEach((message, index) => {
    expect(message).toBe(expected[index])
  })
}
