import { Session, type SessionEvent, sessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { encodeRows } from '../src/codec/index.js'
import { extendedSession } from '../src/host.js'
import { naiveEvents, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

const append = { surfaceOp: 'append' } as const
const events = naiveEvents([
  { type: 'user/message', data: user('a'), intent: append },
  { type: 'test/fact', data: 1 },
  {
    type: 'user/message',
    data: user('b'),
    intent: { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] },
  },
  {
    type: 'user/message',
    data: user('c'),
    intent: { surfaceOp: { op: 'replace', start: 2, end: 2 }, sourceEventSeqs: [2] },
  },
])

function stored(count: number): Session {
  const header = { version: 1, id: sessionId('s'), createdAt: 0 }
  return Session.restore(header, encodeRows(events.slice(0, count)), { trusted: true })
}

describe('extendedSession', () => {
  it('holds the added events as if they had been stored', () => {
    const session = stored(2)
    const extended = extendedSession(session, events.slice(2))
    expect(extended.events).toEqual(events)
    expect(extended.firstLiveSeq).toBe(4)
    expect(extended.deriveMessages()).toEqual([user('c')])
    expect(extended.eventAt(1)).toBe(session.eventAt(1))
  })

  it('leaves the session as it was', () => {
    const session = stored(2)
    extendedSession(session, events.slice(2))
    expect([session.seq, session.surface.nodes]).toEqual([2, [0]])
    session.append('user/message', user('other'), append)
    expect(session.deriveMessages()).toEqual([user('a'), user('other')])
  })

  it('checks what it adds', () => {
    expectError('INVALID_EVENT', () => extendedSession(stored(2), events.slice(3)))
    const wrong = { ...events[2], surfaceOp: { op: 'replace', start: 9, end: 9 } } as unknown as SessionEvent
    expectError('SURFACE_CONFLICT', () => extendedSession(stored(2), [wrong]))
  })
})
