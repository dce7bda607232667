import { describeValue } from '../describe.js'
import type { SessionEvent, SurfaceOp } from '../event.js'
import { MAX_JSON_DEPTH } from '../json.js'
import { freezeJson } from './freeze-json.js'
import { invalidRow } from './invalid-row.js'
import {
  isEventType,
  isNatural,
  isObject,
  type ParsedObject,
  requireInteger,
  requireKnownKeys,
  requireNatural,
} from './line-guards.js'
import { expandSeqRuns } from './seq-runs.js'

const eventKeys = new Set(['type', 'seq', 'time', 'surfaceOp', 'sourceEventSeqs', 'data'])

/**
 * The event of a parsed line: its envelope checked, its payload frozen as it is. An unknown type is an event like any
 * other.
 * @throws INVALID_EVENT, naming the path
 */
export function readEvent(line: ParsedObject): SessionEvent {
  const { type, data } = line
  if (!isEventType(type)) {
    throw invalidRow('an event type with a slash inside, or the tag of a packed row', describeValue(type), {
      path: 'type',
    })
  }
  const seq = requireNatural(line.seq, 'seq', undefined)
  requireKnownKeys(line, eventKeys, '', seq)
  const time = requireInteger(line.time, 'time', seq)
  if (data === undefined) throw invalidRow('a payload', 'nothing', { seq, path: 'data' })
  if (!freezeJson(data)) {
    throw invalidRow(`at most ${MAX_JSON_DEPTH} levels of nesting`, 'more', { seq, path: 'data' })
  }
  const isMarked = Object.hasOwn(line, 'surfaceOp') || Object.hasOwn(line, 'sourceEventSeqs')
  if (!isMarked) return Object.freeze({ type, seq, time, data }) as SessionEvent
  const surfaceOp = readSurfaceOp(line.surfaceOp, seq)
  if (!Object.hasOwn(line, 'sourceEventSeqs'))
    return Object.freeze({ type, seq, time, surfaceOp, data }) as SessionEvent
  const sourceEventSeqs = expandSeqRuns(line.sourceEventSeqs, seq)
  return Object.freeze({ type, seq, time, surfaceOp, sourceEventSeqs, data }) as SessionEvent
}

function readSurfaceOp(value: unknown, seq: number): SurfaceOp {
  if (value === 'append') return value
  if (isObject(value) && value.op === 'replace' && Object.keys(value).length === 3) {
    const { start, end } = value
    if (isNatural(start) && isNatural(end)) return Object.freeze({ op: 'replace', start, end })
  }
  const expected = "'append' or { op: 'replace', start, end } with two seqs"
  throw invalidRow(expected, describeValue(value), { seq, path: 'surfaceOp' })
}
