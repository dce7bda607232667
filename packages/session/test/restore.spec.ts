import { Session, type SessionEvent, SessionRestorer, type StoredRow, sessionId } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRows } from '../src/codec/index.js'
import { appendStep, assistant, naiveEvents, steps, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

const header = { version: 1, id: sessionId('s'), createdAt: 1 }
const append = { surfaceOp: 'append' } as const
const trusted = { trusted: true }

const sample = naiveEvents([
  { type: 'user/message', data: user('a'), intent: append },
  { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'hel' } } },
  { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'lo' } } },
  { type: 'assistant/message', data: { turn: 1, step: 1, message: assistant('hello') }, intent: append },
  { type: 'stranger/fact', data: { kept: true } },
])

function rows(events: readonly SessionEvent[] = sample): StoredRow[] {
  return encodeRows(events, { pack: true })
}

describe('Session.restore', () => {
  it('gives the session that was stored, trusted or not, and it goes on as the live one does', () => {
    fc.assert(
      fc.property(steps, steps, fc.boolean(), (list, more, trust) => {
        const events = naiveEvents(list)
        const live = new Session('s', events, header)
        const restored = Session.restore(header, rows(events), { trusted: trust })
        expect([restored.seq, restored.firstLiveSeq]).toEqual([events.length, events.length])
        for (const step of more.filter(step => !step.intent?.sourceEventSeqs?.length)) {
          appendStep(live, step)
          appendStep(restored, step)
        }
        expect(restored.surface.nodes).toEqual(live.surface.nodes)
        expect(restored.deriveMessages()).toEqual(live.deriveMessages())
        const untimed = (session: Session) => session.events.map(event => ({ ...event, time: 0 }))
        expect(untimed(restored)).toEqual(untimed(live))
        expect(JSON.stringify(restored.slice(0, events.length))).toBe(JSON.stringify(live.slice(0, events.length)))
      }),
      { numRuns: 150 },
    )
  })

  it('decodes nothing that nobody reads', () => {
    const reads = new Map<number, number>()
    const watched = rows().map(row => ({
      ...row,
      get body() {
        reads.set(row.seq, (reads.get(row.seq) ?? 0) + 1)
        return row.body
      },
    }))
    const session = Session.restore(header, watched, trusted)
    session.deriveMessages()
    session.requestHeader()
    expect(reads.get(1)).toBeUndefined()
    expect(reads.get(4)).toBeUndefined()
    expect(session.eventAt(2)).toEqual(sample[2])
    expect(reads.get(1)).toBe(1)
  })

  it('gives the same event and the same message at every reading, and in forks', () => {
    const session = Session.restore(header, rows(), trusted)
    const view = session.at(4)
    expect(session.eventAt(1)).toBe(session.eventAt(1))
    expect(view.eventAt(2)).toBe(session.eventAt(2))
    expect(session.deriveMessages()[0]).toBe(session.eventAt(0).data)
    expect(view.deriveMessages()[1]).toBe(session.deriveMessages()[1])
  })

  it('keeps what it does not know', () => {
    expect(Session.restore(header, rows(), trusted).eventAt(4)).toEqual(sample[4])
  })

  it.each([true, false])('refuses rows that are not contiguous (trusted: %s)', trust => {
    const [first, second, third] = rows()
    for (const broken of [
      [second!],
      [first!, third!],
      [first!, first!],
      [first!, second!, second!],
      [first!, { ...second!, seq: 2 }],
    ]) {
      expect(expectError('INVALID_EVENT', () => Session.restore(header, broken, { trusted: trust })).session).toBe('s')
    }
  })

  it.each<[string, Partial<StoredRow>]>([
    ['no events', { count: 0 }],
    ['half an event', { count: 1.5 }],
    ['several events in a row that is not packed', { count: 2 }],
    ['an unknown bare tag', { type: 'mystery' }],
    ['a removed type', { type: 'request/header-delta' }],
    ['a marker on a log-only type', { type: 'turn/start' }],
    ['no marker on a message', { surface: false }],
  ])('refuses a trusted row with %s', (_, change) => {
    const [first] = rows()
    expectError('INVALID_EVENT', () => Session.restore(header, [{ ...first!, ...change }], trusted))
  })

  it('refuses a trusted replacement of what is not on the surface', () => {
    const [event] = naiveEvents([
      { type: 'user/message', data: user('a'), intent: { surfaceOp: { op: 'replace', start: 0, end: 0 } } },
    ])
    expectError('SURFACE_CONFLICT', () => Session.restore(header, rows([event!]), trusted))
  })

  it('checks the payload of rows that are not trusted', () => {
    const [event] = naiveEvents([{ type: 'user/message', data: { ...user('a'), role: 'system' }, intent: append }])
    expect(expectError('INVALID_EVENT', () => Session.restore(header, rows([event!]))).path).toBe('data.role')
  })

  it('refuses a row whose envelope lies about its body', () => {
    const [first, second] = rows()
    expectError('INVALID_EVENT', () => Session.restore(header, [first!, { ...second!, count: 7 }]))
  })
})

describe('SessionRestorer', () => {
  it('takes a tail that is not trusted after rows that are', () => {
    const restorer = new SessionRestorer(header)
    const [first, second, third, fourth] = rows()
    restorer.push(first!, trusted)
    restorer.push(second!, trusted)
    restorer.push(third!)
    expect(restorer.nextSeq).toBe(4)
    restorer.push(fourth!, trusted)
    expect(restorer.finish().events).toEqual(sample)
  })

  it('refuses a header before any row', () => {
    expectError('FORMAT_UNSUPPORTED', () => new SessionRestorer({ ...header, version: 9 }))
    expectError('INVALID_EVENT', () => new SessionRestorer({ ...header, seedLength: 1 }).finish())
  })
})
