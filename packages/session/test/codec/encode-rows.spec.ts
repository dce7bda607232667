import type { SessionEvent } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRow, encodeRows } from '../../src/codec/index.js'
import { eventLists, textOf } from './arbitraries.js'

const deltas = (count: number, text: string): SessionEvent[] =>
  Array.from({ length: count }, (_, seq) => ({
    type: 'assistant/chunk',
    seq,
    time: 1000 + seq * 3,
    data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } },
  }))

describe('encodeRows', () => {
  it('gives back the very events, key order included, packed and unpacked', () => {
    fc.assert(
      fc.property(eventLists, fc.boolean(), (events, pack) => {
        const decoded = encodeRows(events, { pack }).flatMap(decodeRow)
        // The text shows key order and lone surrogates, which deep equality alone does not.
        expect(JSON.stringify(decoded)).toBe(JSON.stringify(events))
        expect(decoded).toEqual(events)
      }),
      { numRuns: 300 },
    )
  })

  it('describes each row and covers every event once, in order', () => {
    fc.assert(
      fc.property(eventLists, events => {
        let index = 0
        for (const row of encodeRows(events)) {
          const first = events[index]!
          const last = events[index + row.count - 1]!
          expect(row.seq).toBe(first.seq)
          expect(row.time).toBe(last.time)
          expect(row.surface).toBe('surfaceOp' in first)
          expect(row.count === 1 ? row.type : 'assistant/chunk').toBe(first.type)
          expect(row.body.includes(10)).toBe(false)
          index += row.count
        }
        expect(index).toBe(events.length)
      }),
    )
  })

  it('is never longer packed than unpacked', () => {
    fc.assert(
      fc.property(eventLists, events => {
        const size = (pack: boolean) => encodeRows(events, { pack }).reduce((sum, row) => sum + row.body.length, 0)
        expect(size(true)).toBeLessThanOrEqual(size(false))
      }),
    )
  })

  it('packs by default and writes one row per event on request', () => {
    expect(encodeRows(deltas(5, 'x'))).toHaveLength(1)
    expect(encodeRows(deltas(5, 'x'), {})).toHaveLength(1)
    expect(encodeRows(deltas(5, 'x'), { pack: false }).map(row => row.count)).toEqual([1, 1, 1, 1, 1])
  })

  it('gives no rows for no events', () => {
    expect(encodeRows([])).toEqual([])
  })

  it('leaves each body as it is while later rows are encoded', () => {
    const events = deltas(300, '世界')
    const rows = encodeRows(events, { pack: false })
    expect(rows.map(textOf)).toEqual(events.map(event => JSON.stringify(event)))
  })
})
