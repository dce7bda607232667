import { describe, expect, it } from 'vitest'
import { encodeRows } from '../../src/codec/index.js'
import { StoredRows } from '../../src/log/stored-rows.js'
import type { StoredRow } from '../../src/row.js'
import { naiveEvents, user } from '../support/events.js'

const delta = (text: string) => ({ turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } })
const events = naiveEvents([
  { type: 'user/message', data: user('a'), intent: { surfaceOp: 'append' } },
  ...['x', 'y', 'z', 'w'].map(text => ({ type: 'assistant/chunk', data: delta(text) })),
  { type: 'test/fact', data: 1 },
  { type: 'user/message', data: user('b'), intent: { surfaceOp: 'append' } },
])

/** Rows that count how often each body is asked for: decoding needs it, nothing else does. */
function watched(): { rows: StoredRows; reads: number[] } {
  const reads: number[] = []
  const rows = encodeRows(events, { pack: true }).map((row, index): StoredRow => {
    reads[index] = 0
    return {
      ...row,
      get body() {
        reads[index]!++
        return row.body
      },
    }
  })
  return { rows: new StoredRows(rows), reads }
}

describe('StoredRows', () => {
  it('decodes a row when it is first read, and then no more', () => {
    const { rows, reads } = watched()
    expect(rows.length).toBe(7)
    expect(reads).toEqual([0, 0, 0, 0])
    const event = rows.at(3)
    expect(event).toEqual(events[3])
    expect(rows.at(3)).toBe(event)
    expect([...rows.iterate(3, 4)][0]).toBe(event)
    expect(reads[0]! + reads[2]! + reads[3]!).toBe(0)
  })

  it('leaves packed rows alone when a scan asks for no deltas', () => {
    const { rows, reads } = watched()
    const seen: string[] = []
    rows.scan(0, 7, { deltas: false }, event => seen.push(event.type))
    expect(seen).toEqual(['user/message', 'test/fact', 'user/message'])
    expect(reads[1]).toBe(0)
  })

  it('decodes only the rows of the types that a scan asks for', () => {
    const { rows, reads } = watched()
    const seen: number[] = []
    rows.scan(0, 7, { types: ['test/fact'] }, event => seen.push(event.seq))
    expect(seen).toEqual([5])
    expect([reads[0], reads[1], reads[3]]).toEqual([0, 0, 0])
  })

  it('stops a scan, an iteration and a surface scan at its end', () => {
    const { rows } = watched()
    const seen: number[] = []
    rows.scan(2, 6, {}, event => seen.push(event.seq))
    expect(seen).toEqual([2, 3, 4, 5])
    expect([...rows.iterate(2, 4)].map(event => event.seq)).toEqual([2, 3])
    const surface: number[] = []
    rows.scanSurface(0, 6, seq => surface.push(seq))
    expect(surface).toEqual([0])
  })

  it('finds backwards without decoding what it passes', () => {
    const { rows, reads } = watched()
    expect(rows.findLast(7, ['user/message'], event => event.seq < 5)).toEqual(events[0])
    expect(rows.findLast(6, ['turn/start'])).toBeUndefined()
    expect(rows.findLast(0, ['user/message'])).toBeUndefined()
    expect(reads[1]).toBe(0)
  })

  it('finds events in any order of asking', () => {
    const { rows } = watched()
    for (const seq of [6, 0, 4, 1, 5, 2, 6, 3, 0]) expect(rows.at(seq)).toEqual(events[seq])
  })

  it('may be empty', () => {
    const rows = new StoredRows([])
    expect(rows.length).toBe(0)
    expect([...rows.iterate(0, 0)]).toEqual([])
  })
})
