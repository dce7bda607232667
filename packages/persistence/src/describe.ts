import { describeRow, SESSION_FORMAT_VERSION } from '@dsh/session'
import type { StoredRecord } from './driver.js'

/**
 * The record of one stored line, for drivers that keep lines only. Of a line that the base wrote, the envelope alone is
 * read.
 * @param line UTF-8 JSON without a line feed
 * @param version the format version that the line's session was written in
 * @throws INVALID_EVENT for a line that is no record
 */
export function describe(line: Uint8Array, version: number = SESSION_FORMAT_VERSION): StoredRecord {
  return { ...describeRow(line), version }
}
