import { describe, expect, it } from 'vitest'
import { isPackedRow, unpack } from '../../../src/readers/deepseek-harness/packed-rows.js'

const place = { turn: 1, step: 2, index: 3 }

describe('unpack', () => {
  it('gives the members their numbers and times, which may step back', () => {
    const row = { type: 'text-chunks', seq0: 7, time0: 100, data: { ...place, dt: [5, -2], texts: ['a', '', 'c'] } }
    const chunk = (text: string) => ({ turn: 1, step: 2, chunk: { type: 'text-delta', index: 3, text } })
    expect(unpack(row)).toEqual([
      { type: 'assistant/chunk', seq: 7, time: 100, data: chunk('a') },
      { type: 'assistant/chunk', seq: 8, time: 105, data: chunk('') },
      { type: 'assistant/chunk', seq: 9, time: 103, data: chunk('c') },
    ])
  })

  it('reads reasoning and calls, and rows without numbers', () => {
    const reasoning = { type: 'reasoning-chunks', data: { ...place, dt: [], texts: ['a'] } }
    expect(unpack(reasoning)).toEqual([
      { type: 'assistant/chunk', data: { turn: 1, step: 2, chunk: { type: 'reasoning-delta', index: 3, text: 'a' } } },
    ])
    const calls = { type: 'tool-call-chunks', data: { ...place, id: 'c', name: 'n', dt: [1], args: ['{', '}'] } }
    expect(unpack(calls)?.map(({ data }) => (data as { chunk: unknown }).chunk)).toEqual([
      { type: 'tool-call-delta', index: 3, id: 'c', name: 'n', argumentsDelta: '{' },
      { type: 'tool-call-delta', index: 3, id: 'c', name: 'n', argumentsDelta: '}' },
    ])
  })

  it('gives nothing of a row whose parts do not fit', () => {
    for (const data of [
      { ...place, dt: [1], texts: ['a'] },
      { ...place, dt: [], texts: [] },
      { ...place, dt: ['x'], texts: ['a', 'b'] },
      { ...place, dt: [], texts: [1] },
      { dt: [], texts: ['a'] },
    ]) {
      expect(unpack({ type: 'text-chunks', data } as never)).toBeUndefined()
    }
  })

  it('tells this form of a row from others', () => {
    expect(isPackedRow({ type: 'text-chunks', data: { texts: [] } })).toBe(true)
    expect(isPackedRow({ type: 'text-chunks', data: { text: 'a', len: [1] } })).toBe(false)
    expect(isPackedRow({ type: 'turn/start', data: { texts: [] } })).toBe(false)
  })
})
