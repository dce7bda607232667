import { describeValue } from '../describe.js'
import { invalidRow } from './invalid-row.js'
import {
  isInteger,
  isNatural,
  type ParsedObject,
  requireInteger,
  requireKnownKeys,
  requireNatural,
  requireObject,
  requireString,
} from './line-guards.js'

/** The tags of the rows that hold a run of stream deltas. */
export type PackedTag = 'text-chunks' | 'reasoning-chunks' | 'tool-call-chunks'

/** Whether rows of `type` hold a packed run of stream deltas. */
export function isPackedTag(type: unknown): type is PackedTag {
  return type === 'text-chunks' || type === 'reasoning-chunks' || type === 'tool-call-chunks'
}

/** A packed row whose parts agree with each other. */
export interface PackedRow {
  readonly type: PackedTag
  readonly seq: number
  readonly count: number
  /** Time of the first member. */
  readonly time: number
  /** Time of the last member. */
  readonly lastTime: number
  readonly turn: number
  readonly step: number
  readonly index: number
  /** Present on tool calls. */
  readonly id?: string
  /** Present where every member carries it. */
  readonly name?: string
  /** Milliseconds from each member to the next, possibly negative. */
  readonly dt: readonly number[]
  /** Lengths of the members' texts in UTF-16 units. */
  readonly len: readonly number[]
  readonly text: string
}

const rowKeys = new Set(['type', 'seq', 'n', 'time', 'data'])
const textKeys = new Set(['turn', 'step', 'index', 'dt', 'len', 'text'])
const toolCallKeys = new Set(['turn', 'step', 'index', 'id', 'name', 'dt', 'len', 'arguments'])

/**
 * Checks a parsed packed row in full.
 * @throws INVALID_EVENT, naming the path
 */
export function readPackedRow(line: ParsedObject, type: PackedTag): PackedRow {
  const seq = requireNatural(line.seq, 'seq', undefined)
  requireKnownKeys(line, rowKeys, '', seq)
  const count = requireNatural(line.n, 'n', seq)
  const time = requireInteger(line.time, 'time', seq)
  if (count === 0) throw invalidRow('at least one member', '0', { seq, path: 'n' })
  if (!Number.isSafeInteger(seq + (count - 1))) {
    throw invalidRow('a last seq that is a safe integer', `${count} members`, { seq, path: 'n' })
  }
  const data = requireObject(line.data, 'data', seq)
  const isToolCall = type === 'tool-call-chunks'
  requireKnownKeys(data, isToolCall ? toolCallKeys : textKeys, 'data.', seq)
  const textKey = isToolCall ? 'arguments' : 'text'
  const text = requireString(data[textKey], `data.${textKey}`, seq)
  const dt = requireEntries(data.dt, 'data.dt', count - 1, seq)
  const len = requireEntries(data.len, 'data.len', count, seq)
  checkLengths(len, text, seq)
  return {
    type,
    seq,
    count,
    time,
    lastTime: addGaps(time, dt, seq),
    turn: requireInteger(data.turn, 'data.turn', seq),
    step: requireInteger(data.step, 'data.step', seq),
    index: requireInteger(data.index, 'data.index', seq),
    ...(isToolCall ? { id: requireString(data.id, 'data.id', seq) } : {}),
    ...(Object.hasOwn(data, 'name') ? { name: requireString(data.name, 'data.name', seq) } : {}),
    dt,
    len,
    text,
  }
}

function requireEntries(value: unknown, path: string, count: number, seq: number): readonly number[] {
  if (!Array.isArray(value)) throw invalidRow('a list', describeValue(value), { seq, path })
  if (value.length !== count) throw invalidRow(`${count} entries`, `${value.length}`, { seq, path })
  return value
}

function checkLengths(len: readonly unknown[], text: string, seq: number): void {
  let sum = 0
  for (let member = 0; member < len.length; member++) {
    const length = len[member]
    sum += isNatural(length) ? length : requireNatural(length, `data.len[${member}]`, seq)
  }
  if (sum !== text.length) {
    throw invalidRow(`lengths that sum to the ${text.length} units of the text`, `${sum}`, { seq, path: 'data.len' })
  }
}

function addGaps(first: number, dt: readonly unknown[], seq: number): number {
  let time = first
  for (let index = 0; index < dt.length; index++) {
    const gap = dt[index]
    time += isInteger(gap) ? gap : requireInteger(gap, `data.dt[${index}]`, seq)
    if (!Number.isSafeInteger(time)) {
      throw invalidRow('times that are safe integers', `${time}`, { seq, path: `data.dt[${index}]` })
    }
  }
  return time
}
