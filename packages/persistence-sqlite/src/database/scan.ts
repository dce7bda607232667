import { crc32 } from 'node:zlib'
import { FIELDS, indexOfType, type RecordBlock } from '../record-block.js'
import { RECORD_HEAD } from './checksum.js'
import type { Database } from './database.js'
import { NumberReader } from './number-reader.js'
import type { SessionRef } from './session-row.js'
import { damaged } from './session-row.js'
import { parseTypeName } from './type-name.js'

/** Which records of a session to scan, by their own sequence numbers. */
export interface ScanRange {
  /** Inclusive. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly reverse: boolean
  readonly surface: boolean
  /** Most records. */
  readonly rows: number
}

interface ScanRow {
  readonly rows: number
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

/** What a record covers. */
export interface RecordSpan {
  readonly seq: number
  /** After its last event. */
  readonly end: number
  /** How many records of the session are on the surface, up to this one. */
  readonly surfaces: number
}

/** Verified records, in the order that was asked for. */
export interface Scan {
  readonly block: RecordBlock
  readonly spans: readonly RecordSpan[]
}

/**
 * Reads and verifies records. SQLite puts all of them together into one value: a third of the time of a row of values for
 * each.
 * @throws SESSION_CORRUPT naming the event of a record that does not fit its checksum
 */
export function scanRecords(database: Database, { no, id }: SessionRef, range: ScanRange): Scan {
  const { rows, bytes } = database.get<ScanRow>(scanSql(range), no, range.from, range.to, range.rows)!
  const types = new Map<string, number>()
  const numbers = new Float64Array(rows * FIELDS)
  const spans: RecordSpan[] = []
  const reader = new NumberReader(bytes ?? new Uint8Array())
  for (let field = 0; field < numbers.length; field += FIELDS) {
    const [headLength, bodyLength, crc] = [reader.next(), reader.next(), reader.next()]
    const head = reader.at
    const [seq, count, time, surface, surfaces, version] = reader.six()
    const start = head + headLength
    const end = start + bodyLength
    // A head that rotted may have led the reader anywhere.
    if (!(reader.at <= start && end <= reader.bytes.length) || crc32(reader.bytes.subarray(head, end)) !== crc) {
      throw damaged('a record that fits its checksum', 'another one', database.file, id, seq)
    }
    numbers[field] = seq
    numbers[field + 1] = count
    numbers[field + 2] = time
    numbers[field + 3] = indexOfType(types, reader.text(start))
    numbers[field + 4] = surface
    numbers[field + 5] = version
    numbers[field + 6] = start
    numbers[field + 7] = end
    spans.push({ seq, end: seq + count, surfaces })
    reader.at = end + 1
  }
  return { block: { types: [...types.keys()].map(parseTypeName), numbers, bytes: reader.bytes }, spans }
}

/** Each record as its lengths and its checksum, then what the checksum covers, head and body, then a line feed. */
function scanSql({ reverse, surface }: ScanRange): string {
  return `
    SELECT count(*) AS rows, CAST(group_concat(
      octet_length(head) || ' ' || octet_length(body) || ' ' || crc || ' ' || head || body, char(10)
    ) AS BLOB) AS bytes
    FROM (
      SELECT ${RECORD_HEAD} AS head, body, crc FROM records
      WHERE session = ? AND seq >= ? AND seq < ? ${surface ? 'AND surface = 1' : ''}
      ORDER BY seq ${reverse ? 'DESC' : 'ASC'} LIMIT ?
    )
  `
}
