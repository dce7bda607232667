import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { appendStep, assistant, result, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

function conversation(): Session {
  const session = new Session('s')
  const append = { surfaceOp: 'append' as const }
  session.append('user/message', user('hello'), append)
  session.append('assistant/message', { turn: 1, step: 1, message: assistant('', ['c1', 'c2']) }, append)
  session.append('tool/result', { turn: 1, step: 1, message: result('c1', 'one') }, append)
  session.append('tool/result', { turn: 1, step: 1, message: result('c2', 'two', true) }, append)
  return session
}

function refused(session: Session, step: Parameters<typeof appendStep>[1]) {
  const before = [session.seq, session.surface.nodes, session.deriveMessages()]
  const error = expectError('SURFACE_CONFLICT', () => appendStep(session, step))
  expect([session.seq, session.surface.nodes, session.deriveMessages()]).toEqual(before)
  return error
}

describe('a replacement', () => {
  it('shadows the range it names and cites', () => {
    const session = conversation()
    const surfaceOp = { op: 'replace', start: 0, end: 2 } as const
    session.append('user/message', user('summary'), { surfaceOp, sourceEventSeqs: [0, 1, 2] })
    expect(session.surface.nodes).toEqual([4, 3])
  })

  it('is refused when it leaves a shadowed node out of its sources', () => {
    const surfaceOp = { op: 'replace' as const, start: 0, end: 2 }
    const session = conversation()
    const error = refused(session, {
      type: 'user/message',
      data: user('s'),
      intent: { surfaceOp, sourceEventSeqs: [0, 2] },
    })
    expect(error.found).toContain('1 left out')
    refused(session, { type: 'user/message', data: user('s'), intent: { surfaceOp } })
  })

  it('is refused when it names a node that an earlier one shadowed', () => {
    const session = conversation()
    session.append('user/message', user('s'), {
      surfaceOp: { op: 'replace', start: 0, end: 1 },
      sourceEventSeqs: [0, 1],
    })
    refused(session, {
      type: 'user/message',
      data: user('t'),
      intent: { surfaceOp: { op: 'replace', start: 1, end: 2 }, sourceEventSeqs: [1, 2] },
    })
  })

  it.each([
    ['no content', []],
    ['an empty text', [{ type: 'text', text: '' }]],
    [
      'blank text',
      [
        { type: 'text', text: ' \n\t' },
        { type: 'text', text: '\u00a0' },
      ],
    ],
  ])('is refused with %s', (_, content) => {
    refused(conversation(), {
      type: 'user/message',
      data: { ...user('x'), content },
      intent: { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] },
    })
  })

  it('is refused when it would leave an empty assistant message', () => {
    refused(conversation(), {
      type: 'assistant/message',
      data: { turn: 1, step: 1, message: assistant('') },
      intent: { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] },
    })
  })

  it('may say something without text', () => {
    const session = conversation()
    const image = { type: 'image' as const, mediaType: 'image/png', ref: 'file' }
    session.append(
      'user/message',
      { ...user('x'), content: [image] },
      { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] },
    )
    expect(session.deriveMessages()[0]?.content).toEqual([image])
  })
})

describe('a rewritten tool result', () => {
  const rewrite = { surfaceOp: { op: 'replace' as const, start: 2, end: 2 }, sourceEventSeqs: [2] }

  it('changes the content of one result', () => {
    const session = conversation()
    session.append('tool/result', { turn: 1, step: 1, message: result('c1', 'pruned') }, rewrite)
    expect(session.deriveMessages()[2]).toEqual(result('c1', 'pruned'))
  })

  it.each([
    ['another turn', { turn: 2, step: 1, message: result('c1', 'x') }, 'data.turn'],
    ['another step', { turn: 1, step: 2, message: result('c1', 'x') }, 'data.step'],
    ['another call', { turn: 1, step: 1, message: result('c2', 'x') }, 'data.message.source.callId'],
    ['another outcome', { turn: 1, step: 1, message: result('c1', 'x', true) }, 'data.message.content[0].isError'],
  ])('is refused with %s', (_, data, path) => {
    expect(refused(conversation(), { type: 'tool/result', data, intent: rewrite }).path).toBe(path)
  })

  it('is refused without content', () => {
    refused(conversation(), {
      type: 'tool/result',
      data: { turn: 1, step: 1, message: result('c1', ' ') },
      intent: rewrite,
    })
  })

  it('is refused over more than one result, or over another message', () => {
    const data = { turn: 1, step: 1, message: result('c1', 'x') }
    refused(conversation(), {
      type: 'tool/result',
      data,
      intent: { surfaceOp: { op: 'replace', start: 2, end: 3 }, sourceEventSeqs: [2, 3] },
    })
    refused(conversation(), {
      type: 'tool/result',
      data,
      intent: { surfaceOp: { op: 'replace', start: 1, end: 1 }, sourceEventSeqs: [1] },
    })
  })
})
