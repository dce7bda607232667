import type { StoredRecord } from '@dsh/persistence/driver'
import { decodeRow, describeRow, SESSION_FORMAT_VERSION } from '@dsh/session'

const SPACE = 0x20
const TAB = 0x09
const RETURN = 0x0d

/**
 * The record of the line from `start` to `end`, whose bytes stay shared with `block`: one allocation for a megabyte of
 * lines instead of one for each.
 * @throws INVALID_EVENT when the envelope is not that of a row
 */
export function describeLine(block: Buffer, start: number, end: number): StoredRecord {
  const stop = block[end - 1] === RETURN ? end - 1 : end
  const { seq, count, time, type, surface, body } = describeRow(
    new Uint8Array(block.buffer, block.byteOffset + start, stop - start),
  )
  return { seq, count, time, type, surface, version: SESSION_FORMAT_VERSION, body }
}

/** As {@link describeLine}, for a line that no checksum covers: the whole of it is checked. */
export function checkLine(block: Buffer, start: number, end: number): StoredRecord {
  const record = describeLine(block, start, end)
  decodeRow(record)
  return record
}

/** Whether the line holds nothing but white space. */
export function isBlank(block: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = block[at]
    if (byte !== SPACE && byte !== TAB && byte !== RETURN) return false
  }
  return true
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && Buffer.compare(left, right) === 0
}

/** Whether `body` is a whole JSON text. */
export function isWholeJson(body: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString())
    return true
  } catch {
    return false
  }
}
