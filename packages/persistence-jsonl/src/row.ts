import type { StoredRecord } from '@dsh/persistence/driver'
import { decodeRow, describeRow, SESSION_FORMAT_VERSION, SessionError, snapshotJsonValue } from '@dsh/session'

const SPACE = 0x20
const TAB = 0x09
const RETURN = 0x0d

/**
 * The record of the line from `start` to `end`, whose bytes stay shared with `block`: one allocation for a megabyte of
 * lines instead of one for each. White space around the line is left out.
 * @throws INVALID_EVENT when the envelope is not that of a row
 */
export function describeLine(block: Buffer, start: number, end: number): StoredRecord {
  let [first, stop] = [start, end]
  while (first < stop && isSpace(block[first]!)) first++
  while (stop > first && isSpace(block[stop - 1]!)) stop--
  const line = new Uint8Array(block.buffer, block.byteOffset + first, stop - first)
  const { seq, count, time, type, surface, body } = describeRow(line)
  return { seq, count, time, type, surface, version: SESSION_FORMAT_VERSION, body }
}

/** As {@link describeLine}, for a line that no checksum covers: the whole of it is checked. */
export function checkLine(block: Buffer, start: number, end: number): StoredRecord {
  // The zeros that a power cut leaves can be a line of many megabytes, which is not worth decoding.
  if (block.subarray(start, end).includes(0)) {
    throw new SessionError('INVALID_EVENT', { expected: 'JSON', found: 'a line with a zero byte' })
  }
  const record = describeLine(block, start, end)
  // A number can be JSON and too large to be one here.
  for (const event of decodeRow(record)) snapshotJsonValue(event, 'event')
  return record
}

/** Whether the line holds nothing but white space. */
export function isBlank(block: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isSpace(block[at]!)) return false
  return true
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && Buffer.compare(left, right) === 0
}

/** Whether `body` is a whole JSON text. */
export function isWholeJson(body: Uint8Array): boolean {
  if (body.includes(0)) return false
  try {
    JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString())
    return true
  } catch {
    return false
  }
}
