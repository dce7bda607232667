import type { SessionEvent } from '../event.js'
import { type Delta, type DeltaPayload, deltaText, isSameBlock, readDelta } from './delta.js'
import type { PackedTag } from './packed-row.js'

// A reader decodes a packed row whole to get at one member, so rows stay small enough to seek in.
const MOST_MEMBERS = 4096
const MOST_TEXT_UNITS = 65_536

const rowTypes = {
  'text-delta': 'text-chunks',
  'reasoning-delta': 'reasoning-chunks',
  'tool-call-delta': 'tool-call-chunks',
} as const satisfies Record<Delta['type'], PackedTag>

/** A packed row that is ready to be written. */
export interface PackedRun {
  readonly type: PackedTag
  /** How many events it holds. */
  readonly count: number
  /** Time of the last one. */
  readonly time: number
  readonly line: string
}

/** Packs the longest run of deltas that begins at `events[from]`; undefined where that is less than two events. */
export function packRun(events: readonly SessionEvent[], from: number): PackedRun | undefined {
  const first = events[from]!
  const payload = readDelta(first)
  if (payload === undefined) return undefined
  let text = deltaText(payload.chunk)
  let len = `${text.length}`
  let dt = ''
  let last = first
  let to = from + 1
  for (const end = Math.min(events.length, from + MOST_MEMBERS); to < end; to++) {
    const event = events[to]!
    const next = readDelta(event)
    if (next === undefined || event.seq !== last.seq + 1 || !isSameBlock(payload, next)) break
    const gap = event.time - last.time
    const piece = deltaText(next.chunk)
    if (!Number.isSafeInteger(gap) || text.length + piece.length > MOST_TEXT_UNITS) break
    dt += to === from + 1 ? gap : `,${gap}`
    len += `,${piece.length}`
    text += piece
    last = event
  }
  const count = to - from
  if (count < 2) return undefined
  const type = rowTypes[payload.chunk.type]
  const head = `{"type":"${type}","seq":${first.seq},"n":${count},"time":${first.time},"data":{`
  return {
    type,
    count,
    time: last.time,
    line: `${head}${blockText(payload)},"dt":[${dt}],"len":[${len}],${textMember(type, text)}}}`,
  }
}

function blockText({ turn, step, chunk }: DeltaPayload): string {
  const block = `"turn":${turn},"step":${step},"index":${chunk.index}`
  if (chunk.type !== 'tool-call-delta') return block
  const call = `${block},"id":${JSON.stringify(chunk.id)}`
  return chunk.name === undefined ? call : `${call},"name":${JSON.stringify(chunk.name)}`
}

function textMember(type: PackedTag, text: string): string {
  return `"${type === 'tool-call-chunks' ? 'arguments' : 'text'}":${JSON.stringify(text)}`
}
