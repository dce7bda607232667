import {
  forkSession,
  isSessionError,
  SESSION_FORMAT_VERSION,
  Session,
  SessionError,
  type SessionEvent,
  sessionId,
} from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { attachHost } from '../src/host.js'
import { appendStep, assistant, naiveEvents, steps, user } from './support/events.js'
import { expectError } from './support/expect-error.js'
import { revoked, textless, throwing } from './support/hostile.js'

const append = { surfaceOp: 'append' } as const

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}

describe('a new session', () => {
  it('has an id, a minimal header and an empty log', () => {
    const session = new Session('s')
    expect(session.id).toBe('s')
    expect(session.header).toEqual({ version: SESSION_FORMAT_VERSION, id: 's', createdAt: expect.any(Number) })
    expect([session.seq, session.firstLiveSeq, session.events.length]).toEqual([0, 0, 0])
    expect([session.requestHeader(), session.requestContext()]).toEqual([undefined, undefined])
    expect(session.deriveMessages()).toEqual([])
  })

  it('refuses an empty id, and a header for another one', () => {
    expectError('INVALID_EVENT', () => new Session(''))
    const header = { version: SESSION_FORMAT_VERSION, id: sessionId('other'), createdAt: 0 }
    expect(expectError('INVALID_EVENT', () => new Session('s', [], header)).path).toBe('header.id')
    expectError('INVALID_EVENT', () => new Session('other', [], { ...header, cwd: 'here' }))
  })
})

describe('append', () => {
  it('records what it is given, like a list that is pushed to', () => {
    fc.assert(
      fc.property(steps, list => {
        const session = new Session('s')
        const returned = list.map(step => appendStep(session, step))
        expect(session.events.map(event => ({ ...event, time: 5 }))).toEqual(naiveEvents(list))
        expect(session.seq).toBe(list.length)
        for (const [seq, event] of returned.entries()) expect(session.eventAt(seq)).toBe(event)
        expect(isDeepFrozen(session.events)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it('takes a snapshot: the caller may go on changing its value', () => {
    const session = new Session('s')
    const todos = [{ content: 'a', status: 'pending' as 'pending' | 'completed' }]
    const event = session.append('todo/write', { todos })
    todos[0]!.status = 'completed'
    expect(event.data.todos[0]!.status).toBe('pending')
    expect(Object.isFrozen(todos)).toBe(false)
  })

  it('returns the event as it lies in the log', () => {
    const session = new Session('s')
    const event = session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } })
    expect(session.events[0]).toBe(event)
    expect(event).toEqual({ type: 'turn/start', seq: 0, time: expect.any(Number), data: event.data })
  })

  it('orders by seq however the clock jumps', () => {
    const clock = vi.spyOn(Date, 'now')
    const session = new Session('s')
    for (const time of [1000, 10, 10, -5, 99]) {
      clock.mockReturnValueOnce(time)
      session.append('step/start', { turn: 1, step: 1 })
    }
    clock.mockRestore()
    expect(session.events.map(event => [event.seq, event.time])).toEqual([
      [0, 1000],
      [1, 10],
      [2, 10],
      [3, -5],
      [4, 99],
    ])
  })

  const bad: [string, string, unknown, unknown?][] = [
    ['a value that is not JSON', 'plugin/fact', { n: 1n }],
    ['a bare type', 'session', {}],
    ['a legacy type', 'request/header-delta', {}],
    ['a legacy reason', 'request/header', { header: { config: { provider: 'p', model: 'm' } }, reason: 'fallback' }],
    ['a message without an id', 'user/message', { ...user('a'), id: '' }, append],
    ['a message without a marker', 'user/message', user('a')],
    ['forged surface metadata', 'turn/start', { turn: 1 }, append],
    ['a provenance in the future', 'user/message', user('a'), { ...append, sourceEventSeqs: [9] }],
    ['a replacement of nothing', 'user/message', user('a'), { surfaceOp: { op: 'replace', start: 8, end: 8 } }],
    ['metadata behind a Map', 'user/message', user('a'), { surfaceOp: new Map() }],
  ]
  it.each(bad)('refuses %s and leaves the session as it was', (_, type, data, intent) => {
    const session = new Session('s')
    session.append('user/message', user('first'), append)
    const before = [session.events, session.surface.nodes, session.surface.replaceGeneration]
    const call = session.append as (type: string, data: unknown, intent?: unknown) => unknown
    let thrown: unknown
    try {
      call.call(session, type, data, intent)
    } catch (error) {
      thrown = error
    }
    expect(isSessionError(thrown) && [thrown.session, thrown.seq]).toEqual(['s', 1])
    expect([session.events, session.surface.nodes, session.surface.replaceGeneration]).toEqual(before)
    session.append('user/message', user('next'), append)
    expect(session.seq).toBe(2)
  })

  it('is refused from within a getter of the value that is being appended', () => {
    const session = new Session('s')
    const value = {
      get late() {
        session.append('step/start', { turn: 1, step: 1 })
        return 1
      },
    }
    expectError('NOT_JSON', () => appendStep(session, { type: 'a/b', data: value }))
    expect(session.seq).toBe(0)
    session.append('step/start', { turn: 1, step: 1 })
  })
})

describe('a clock that tells what no log can hold', () => {
  it.each([1.5, Number.NaN, -0, Number.POSITIVE_INFINITY])('has the append refused: %d', time => {
    const session = new Session('s')
    const clock = vi.spyOn(Date, 'now').mockReturnValue(time)
    try {
      expect(expectError('INVALID_EVENT', () => session.append('todo/write', { todos: [] })).path).toBe('time')
    } finally {
      clock.mockRestore()
    }
    expect(session.seq).toBe(0)
  })
})

describe('a host', () => {
  it('sees the candidate before the commit and is called after it', () => {
    const session = new Session('s')
    const seen: unknown[] = []
    attachHost(session, {
      admit(event) {
        seen.push(['admit', event.seq, session.seq])
        return () => seen.push(['notify', event.seq, session.seq])
      },
    })
    session.append('step/start', { turn: 1, step: 1 })
    expect(seen).toEqual([
      ['admit', 0, 0],
      ['notify', 0, 1],
    ])
  })

  it('refuses an append by throwing, with the log as it was', () => {
    const session = new Session('s')
    let open = false
    attachHost(session, {
      admit() {
        if (!open) throw new Error('no')
        return undefined
      },
    })
    expect(() => session.append('user/message', user('a'), append)).toThrow('no')
    expect([session.seq, session.surface.nodes]).toEqual([0, []])
    open = true
    expect(session.append('user/message', user('a'), append).seq).toBe(0)
  })

  it('cannot append while an append is being admitted or told', () => {
    const session = new Session('s')
    const codes: unknown[] = []
    const again = () => {
      try {
        session.append('step/end', { turn: 1, step: 1 })
      } catch (error) {
        codes.push(isSessionError(error) && error.code)
      }
    }
    attachHost(session, {
      admit() {
        again()
        return again
      },
    })
    session.append('step/start', { turn: 1, step: 1 })
    expect(codes).toEqual(['REENTRANT_APPEND', 'REENTRANT_APPEND'])
    expect(session.seq).toBe(1)
  })
})

describe('a seed', () => {
  it('is replayed whole and never published', () => {
    fc.assert(
      fc.property(steps, list => {
        const seed = naiveEvents(list)
        const session = new Session('s', seed)
        expect(session.events).toEqual(seed)
        expect([session.firstLiveSeq, session.seq]).toEqual([seed.length, seed.length])
        expect(isDeepFrozen(session.events)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it.each<[string, (events: SessionEvent[]) => unknown]>([
    ['a gap', events => [events[0], events[2]]],
    ['a duplicate', events => [events[0], events[0], events[1]]],
    ['a wrong start', events => events.slice(1)],
    ['a hole', events => Object.assign([...events], { 1: undefined })],
    ['no list', () => ({ length: 0 })],
  ])('with %s is refused', (_, change) => {
    const events = naiveEvents([1, 2, 3].map(data => ({ type: 'a/b', data })))
    expectError('INVALID_EVENT', () => new Session('s', change(events) as SessionEvent[]))
  })

  it('is checked as an append is', () => {
    const [event] = naiveEvents([{ type: 'assistant/message', data: { message: assistant('a') }, intent: append }])
    const broken = { ...event, data: { message: { ...assistant('a'), source: { kind: 'model', provider: 'p' } } } }
    const error = expectError('INVALID_EVENT', () => new Session('s', [broken as unknown as SessionEvent]))
    expect(error).toMatchObject({ session: 's', seq: 0, path: 'data.message.source.model' })
  })

  it('does not share what its owner can still change', () => {
    const data = { a: 1 }
    const session = new Session('s', naiveEvents([{ type: 'a/b', data }]))
    data.a = 2
    expect(session.events[0]!.data).toEqual({ a: 1 })
  })
})

describe('values that cannot be read, or have no text', () => {
  const event = { type: 'a/b', seq: 0, time: 0, data: {} }
  const header = { version: SESSION_FORMAT_VERSION, id: 's', createdAt: 0 }

  it.each<[string, object]>([
    ['a place on the surface', revoked()],
    ['an operation', { surfaceOp: revoked() }],
    ['an operation behind a getter', throwing('surfaceOp')],
    ['an operation that is a function', { surfaceOp: Object.assign(() => 1, textless) }],
    ['sources', { surfaceOp: 'append', sourceEventSeqs: revoked() }],
    ['a source', { surfaceOp: 'append', sourceEventSeqs: [textless] }],
  ])('are refused as %s, and the log stays as it was', (_, intent) => {
    const session = new Session('s')
    session.append('user/message', user('a'), append)
    const before = session.events
    expect(() => session.append('user/message', user('b'), intent as never)).toThrow(SessionError)
    expect(session.events).toBe(before)
  })

  it.each<[string, unknown]>([
    ['seed', revoked()],
    ['event', [revoked()]],
    ['event behind a getter', Object.defineProperty([], 0, Object.getOwnPropertyDescriptor(throwing('0'), '0')!)],
    ['seq', [{ ...event, seq: textless }]],
    ['time', [{ ...event, time: textless }]],
    ['type', [{ ...event, type: textless }]],
    ['payload', [{ ...event, data: revoked() }]],
  ])('are refused as the %s of a seed', (_, seed) => {
    expect(() => new Session('s', seed as never)).toThrow(SessionError)
  })

  it.each(['version', 'id', 'createdAt', 'cwd', 'parentSession', 'seedLength', 'delegationDepth'])(
    'are refused as the %s of a header',
    key => {
      const error = expectError('INVALID_EVENT', () => new Session('s', [], { ...header, [key]: textless } as never))
      expect(error).toMatchObject({ found: 'an object', path: `header.${key}` })
    },
  )

  it.each<[string, unknown]>([
    ['no text', textless],
    ['a symbol', Symbol('s')],
    ['a BigInt', 0n],
  ])('are refused as an id or a position: %s', (_, value) => {
    const session = new Session('s', [event] as never)
    expectError('INVALID_EVENT', () => new Session(value as string))
    expectError('INVALID_BOUNDARY', () => session.eventAt(value as number))
    expectError('INVALID_BOUNDARY', () => session.at(value as number))
    expectError('INVALID_BOUNDARY', () => session.slice(value as number))
    expectError('INVALID_BOUNDARY', () => forkSession(session, { id: 'child', boundary: value as number }))
  })
})
