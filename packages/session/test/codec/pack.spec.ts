import type { SessionEvent } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRows } from '../../src/codec/index.js'
import { packRun } from '../../src/codec/pack.js'
import { eventLists, textOf } from './arbitraries.js'

interface Chunk {
  readonly type: string
  readonly text?: string
  readonly argumentsDelta?: string
}

/** Everything about an event that the members of a row have in common, as text; undefined for what never packs. */
function blockOf(event: SessionEvent): string | undefined {
  if (event.type !== 'assistant/chunk') return undefined
  const { turn, step, chunk } = event.data as { turn: unknown; step: unknown; chunk: Chunk }
  const shape = JSON.stringify({ ...event, seq: 0, time: 0 })
  const exact = new RegExp(
    `^{"type":"assistant/chunk","seq":0,"time":0,"data":{"turn":-?\\d+,"step":-?\\d+,"chunk":{"type":"(text|reasoning)-delta","index":-?\\d+,"text":"([^"\\\\]|\\\\.)*"}}}$|` +
      `^{"type":"assistant/chunk","seq":0,"time":0,"data":{"turn":-?\\d+,"step":-?\\d+,"chunk":{"type":"tool-call-delta","index":-?\\d+,"id":"([^"\\\\]|\\\\.)*",("name":"([^"\\\\]|\\\\.)*",)?"argumentsDelta":"([^"\\\\]|\\\\.)*"}}}$`,
  )
  if (!exact.test(shape)) return undefined
  return JSON.stringify({ turn, step, ...chunk, text: '', argumentsDelta: '' })
}

/** Packs by the plainest means: groups first, then one `JSON.stringify` for each. */
function naiveLines(events: readonly SessionEvent[]): string[] {
  const groups: SessionEvent[][] = []
  for (const event of events) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const block = blockOf(event)
    const joins =
      last !== undefined &&
      block !== undefined &&
      blockOf(last) === block &&
      event.seq === last.seq + 1 &&
      Number.isSafeInteger(event.time - last.time)
    if (joins) group!.push(event)
    else groups.push([event])
  }
  return groups.map(group => {
    const { seq, time } = group[0]!
    if (group.length === 1) return ''
    const { turn, step, chunk } = group[0]!.data as { turn: number; step: number; chunk: Chunk }
    const { type, text, argumentsDelta, ...block } = chunk
    const pieces = group.map(event => {
      const { chunk } = event.data as { chunk: Chunk }
      return chunk.text ?? chunk.argumentsDelta ?? ''
    })
    const dt = group.slice(1).map((event, index) => event.time - group[index]!.time)
    const len = pieces.map(piece => piece.length)
    const whole = text === undefined ? { arguments: pieces.join('') } : { text: pieces.join('') }
    const tag = type.replace('-delta', '-chunks')
    return JSON.stringify({ type: tag, seq, n: group.length, time, data: { turn, step, ...block, dt, len, ...whole } })
  })
}

const delta = (seq: number, chunk: object, time = seq): SessionEvent =>
  ({ type: 'assistant/chunk', seq, time, data: { turn: 1, step: 1, chunk } }) as SessionEvent
const text = (seq: number, text: string, time?: number) => delta(seq, { type: 'text-delta', index: 0, text }, time)
const counts = (events: readonly SessionEvent[]) => encodeRows(events).map(row => row.count)

describe('packed rows', () => {
  it('hold what a plain packer writes, byte for byte', () => {
    fc.assert(
      fc.property(eventLists, events => {
        const lines = encodeRows(events).map(row => (row.count === 1 ? '' : textOf(row)))
        expect(lines).toEqual(naiveLines(events))
      }),
      { numRuns: 200 },
    )
  })

  it('show the text in one piece', () => {
    const row = encodeRows([text(3, 'Hel', 10), text(4, '', 8), text(5, 'lo', 30)])[0]!
    expect(textOf(row)).toBe(
      '{"type":"text-chunks","seq":3,"n":3,"time":10,"data":{"turn":1,"step":1,"index":0,"dt":[-2,22],"len":[3,0,2],"text":"Hello"}}',
    )
  })

  it('join the halves of a surrogate pair that the stream split', () => {
    const [row] = encodeRows([text(0, '\ud83d'), text(1, '\ude00')])
    expect(textOf(row!)).toContain('"text":"😀"')
  })

  it('begin after the delta that names a tool call, when only the first does', () => {
    const call = (seq: number, rest: object) => delta(seq, { type: 'tool-call-delta', index: 0, id: 'c', ...rest })
    const later = Array.from({ length: 50 }, (_, index) => call(index + 1, { argumentsDelta: 'x' }))
    expect(counts([call(0, { name: 'bash', argumentsDelta: '' }), ...later])).toEqual([1, 50])
  })

  it('leave out a lone delta, and give none for other events', () => {
    expect(packRun([text(0, 'a')], 0)).toBeUndefined()
    expect(packRun([text(0, 'a'), text(2, 'b')], 0)).toBeUndefined()
    expect(
      packRun([{ type: 'turn/start', seq: 0, time: 0, data: { turn: 1, trigger: { kind: 'retry' } } }], 0),
    ).toBeUndefined()
  })

  it('never hold a delta that carries a surface marker', () => {
    const marked = { ...text(1, 'b'), surfaceOp: 'append' } as SessionEvent
    expect(counts([text(0, 'a'), marked, text(2, 'c')])).toEqual([1, 1, 1])
  })

  it('end where a time, or the gap to it, is no safe integer', () => {
    const far = Number.MAX_SAFE_INTEGER
    expect(counts([text(0, 'a', -far), text(1, 'b', far), text(2, 'c', far)])).toEqual([1, 2])
    expect(counts([text(0, 'a', 0.5), text(1, 'b', 1.5)])).toEqual([1, 1])
  })

  it('stay small enough to seek in', () => {
    const many = Array.from({ length: 10_000 }, (_, seq) => text(seq, 'x'))
    expect(counts(many)).toEqual([4096, 4096, 1808])
    const long = Array.from({ length: 5 }, (_, seq) => text(seq, 'x'.repeat(30_000)))
    expect(counts(long)).toEqual([2, 2, 1])
    const huge = Array.from({ length: 2 }, (_, seq) => text(seq, 'x'.repeat(70_000)))
    expect(counts(huge)).toEqual([1, 1])
  })
})
