import type { SessionEvent } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRows } from '../../src/codec/index.js'
import { EventLog } from '../../src/log/event-log.js'
import { StoredRows } from '../../src/log/stored-rows.js'
import { naiveEvents, steps } from '../support/events.js'
import { expectError } from '../support/expect-error.js'

const logs = fc
  .tuple(fc.array(steps, { minLength: 1, maxLength: 4 }), fc.nat(), fc.boolean())
  .map(([lists, cut, pack]) => {
    // Long enough to fill blocks, with stored rows up to a random place.
    const events = naiveEvents(Array.from({ length: 12 }, () => lists.flat()).flat())
    const stored = events.length === 0 ? 0 : cut % (events.length + 1)
    const log = new EventLog(new StoredRows(encodeRows(events.slice(0, stored), { pack })))
    for (const event of events.slice(stored)) log.push(event)
    return { log, events }
  })

const filters = [
  {},
  { deltas: false as const },
  { types: ['user/message', 'turn/start'] },
  { types: ['assistant/chunk', 'test/fact'] },
  { types: ['assistant/chunk'], deltas: false as const },
]

function isDelta(event: SessionEvent): boolean {
  return event.type === 'assistant/chunk' && event.data.chunk.type.endsWith('-delta')
}

describe('EventLog', () => {
  it('reads like a list, whether an event is stored or live', () => {
    fc.assert(
      fc.property(logs, fc.nat(), fc.nat(), ({ log, events }, a, b) => {
        const [from, to] = [a % (events.length + 1), b % (events.length + 1)].sort((x, y) => x - y) as [number, number]
        expect(log.length).toBe(events.length)
        expect(log.slice(from, to)).toEqual(events.slice(from, to))
        expect([...log.iterate(from, to)]).toEqual(events.slice(from, to))
        expect(log.snapshot()).toEqual(events)
        for (const seq of [0, from, to - 1].filter(seq => seq >= 0 && seq < events.length)) {
          expect(log.at(seq)).toEqual(events[seq])
        }
      }),
      { numRuns: 60 },
    )
  })

  it('scans what a filter lets through', () => {
    fc.assert(
      fc.property(logs, fc.constantFrom(...filters), fc.nat(), ({ log, events }, filter, a) => {
        const from = a % (events.length + 1)
        const seen: SessionEvent[] = []
        log.scan(from, filter, event => seen.push(event))
        const expected = events.slice(from).filter(event => {
          if (filter.deltas === false && isDelta(event)) return false
          return filter.types === undefined || filter.types.includes(event.type)
        })
        expect(seen).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('finds the last event of some type from the end', () => {
    fc.assert(
      fc.property(logs, fc.nat(), ({ log, events }, a) => {
        const before = a % (events.length + 1)
        const types = ['turn/start', 'turn/end']
        expect(log.findLast(before, types)).toEqual(
          events.slice(0, before).findLast(event => types.includes(event.type)),
        )
        const early = (event: SessionEvent) => event.seq % 2 === 0
        expect(log.findLast(before, types, early)).toEqual(
          events.slice(0, before).findLast(event => types.includes(event.type) && early(event)),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('gives a prefix that shares its events and grows on its own', () => {
    fc.assert(
      fc.property(logs, fc.nat(), ({ log, events }, a) => {
        const length = a % (events.length + 1)
        const prefix = log.prefix(length)
        const extra = { type: 'test/extra', seq: length, time: 1, data: {} } as unknown as SessionEvent
        prefix.push(extra)
        expect(prefix.slice(0)).toEqual([...events.slice(0, length), extra])
        expect(log.length).toBe(events.length)
        if (length > 0) expect(prefix.at(length - 1)).toBe(log.at(length - 1))
        const seen: number[] = []
        prefix.scan(0, { deltas: false }, event => seen.push(event.seq))
        expect(seen).toEqual([...events.slice(0, length), extra].filter(event => !isDelta(event)).map(e => e.seq))
      }),
      { numRuns: 60 },
    )
  })

  it('hands out stored rows untouched, and events where a bound cuts a row', () => {
    const delta = { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'abc' } }
    const events = naiveEvents(Array.from({ length: 10 }, () => ({ type: 'assistant/chunk', data: delta })))
    const rows = encodeRows(events, { pack: true })
    const log = new EventLog(new StoredRows(rows))
    expect([...log.entries()]).toEqual(rows)
    expect([...log.entries(2, 5)]).toEqual(events.slice(2, 5))
  })

  it('gives the same snapshot until the next push', () => {
    const log = new EventLog()
    const [first, second] = naiveEvents([
      { type: 'a/b', data: 1 },
      { type: 'a/b', data: 2 },
    ])
    log.push(first!)
    const snapshot = log.snapshot()
    expect(log.snapshot()).toBe(snapshot)
    expect(Object.isFrozen(snapshot)).toBe(true)
    log.push(second!)
    expect(snapshot).toEqual([first])
    expect(log.snapshot()).toEqual([first, second])
  })

  it('refuses positions and ranges outside the log', () => {
    const log = new EventLog(new StoredRows(encodeRows(naiveEvents([{ type: 'a/b', data: 1 }]), { pack: true })))
    log.push(
      naiveEvents([
        { type: 'a/b', data: 1 },
        { type: 'a/b', data: 2 },
      ])[1]!,
    )
    for (const seq of [-1, 2, 0.5, 1.5, Number.NaN]) expectError('INVALID_BOUNDARY', () => log.at(seq))
    for (const [from, to] of [
      [-1, 1],
      [0, 3],
      [2, 1],
      [0.5, 1],
      [0, Number.NaN],
    ] as const) {
      expectError('INVALID_BOUNDARY', () => log.slice(from, to))
      expectError('INVALID_BOUNDARY', () => log.iterate(from, to).next())
      expectError('INVALID_BOUNDARY', () => [...log.entries(from, to)])
    }
    expectError('INVALID_BOUNDARY', () => log.prefix(3))
  })
})
