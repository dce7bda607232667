import type { StoredRow } from '../row.js'
import { isSurfaceEligibleType } from '../surface-op.js'
import { isEventType } from './line-guards.js'
import * as key from './line-keys.js'
import { LineScanner } from './line-scanner.js'
import { isPackedTag, type PackedTag, readPackedRow } from './packed-row.js'
import { parseLine } from './parse-line.js'
import { readEvent } from './read-event.js'
import { readTypeName } from './type-names.js'

const CLOSING_BRACE = 125
const blockKeys = [key.TURN, key.STEP, key.INDEX]

/**
 * The row of one stored line. Of a line as `encodeRows` writes it, only the envelope is read, and the payload stays
 * unchecked until the row is decoded; a line spelled in any other way is parsed and checked in full.
 * @param body the line as UTF-8, without its line feed
 * @throws INVALID_EVENT, also for a tag that is neither an event's type nor that of a packed row
 */
export function describeRow(body: Uint8Array): StoredRow {
  return scanRow(body) ?? parseRow(body)
}

function parseRow(body: Uint8Array): StoredRow {
  const line = parseLine(body)
  const { type } = line
  if (isPackedTag(type)) {
    const { seq, count, lastTime } = readPackedRow(line, type)
    return { seq, count, time: lastTime, type, surface: false, body }
  }
  const event = readEvent(line)
  return { seq: event.seq, count: 1, time: event.time, type: event.type, surface: 'surfaceOp' in event, body }
}

function scanRow(body: Uint8Array): StoredRow | undefined {
  if (body[body.length - 1] !== CLOSING_BRACE) return undefined
  const line = new LineScanner(body)
  if (!line.skip(key.TYPE)) return undefined
  const type = readTypeName(line)
  if (type === undefined || !line.skip(key.SEQ)) return undefined
  const seq = line.integer()
  if (!(seq >= 0)) return undefined
  if (isPackedTag(type)) return scanPackedRow(line, type, seq)
  if (!isEventType(type) || !line.skip(key.TIME)) return undefined
  const time = line.integer()
  if (Number.isNaN(time)) return undefined
  const surface = line.skip(key.SURFACE_OP)
  // A message without a marker at this place may carry it behind the payload, if someone else wrote the line.
  if (!surface && (isSurfaceEligibleType(type) || !line.skip(key.DATA))) return undefined
  return { seq, count: 1, time, type, surface, body }
}

function scanPackedRow(line: LineScanner, type: PackedTag, seq: number): StoredRow | undefined {
  if (!line.skip(key.COUNT)) return undefined
  const count = line.integer()
  if (!(count >= 1) || !Number.isSafeInteger(seq + (count - 1)) || !line.skip(key.TIME)) return undefined
  const first = line.integer()
  if (Number.isNaN(first) || !skipBlock(line, type) || !line.skip(key.GAPS)) return undefined
  const time = line.addIntegers(first, count - 1)
  if (Number.isNaN(time) || !line.skip(key.LENGTHS)) return undefined
  return { seq, count, time, type, surface: false, body: line.bytes }
}

function skipBlock(line: LineScanner, type: PackedTag): boolean {
  for (const name of blockKeys) if (!line.skip(name) || Number.isNaN(line.integer())) return false
  if (type !== 'tool-call-chunks') return true
  if (!line.skip(key.ID) || !line.skipString()) return false
  return !line.skip(key.NAME) || line.skipString()
}
