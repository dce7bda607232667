import { FIELDS, indexOfType, type RecordBlock } from '../record-block.js'
import { RECORD_HEAD, recordChecksum } from './checksum.js'
import type { Database } from './database.js'
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
  readonly bodies: Uint8Array<ArrayBuffer>
  readonly heads: string
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
 * Reads and verifies records. SQLite puts them together into one value each for envelopes and bodies: half the time of a
 * row of values for each record.
 * @throws SESSION_CORRUPT naming the event of a record that does not fit its checksum
 */
export function scanRecords(database: Database, { no, id }: SessionRef, range: ScanRange): Scan {
  const found = database.get<ScanRow>(scanSql(range), no, range.from, range.to, range.rows)!
  const types = new Map<string, number>()
  const numbers = new Float64Array(found.rows * FIELDS)
  const spans: RecordSpan[] = []
  const bodies = found.rows === 0 ? new Uint8Array() : found.bodies
  let start = 0
  for (const line of found.rows === 0 ? [] : found.heads.split('\n')) {
    const fields = line.split(' ')
    const [length, crc, seq, count, time, surface, surfaces, version] = fields
    const head = line.slice(length!.length + crc!.length + 2)
    const end = start + Number(length)
    if (recordChecksum(head, bodies.subarray(start, end)) !== Number(crc)) {
      throw damaged('a record that fits its checksum', 'another one', database.file, id, Number(seq))
    }
    const type = indexOfType(types, fields.slice(8).join(' '))
    const row = [Number(seq), Number(count), Number(time), type, Number(surface), Number(version), Number(length)]
    numbers.set(row, spans.length * FIELDS)
    spans.push({ seq: row[0]!, end: row[0]! + row[1]!, surfaces: Number(surfaces) })
    start = end + 1
  }
  return { block: { types: [...types.keys()].map(parseTypeName), numbers, bodies }, spans }
}

function scanSql({ reverse, surface }: ScanRange): string {
  return `
    SELECT
      count(*) AS rows,
      CAST(group_concat(body, char(10)) AS BLOB) AS bodies,
      group_concat(octet_length(body) || ' ' || crc || ' ' || ${RECORD_HEAD}, char(10)) AS heads
    FROM (
      SELECT * FROM records
      WHERE session = ? AND seq >= ? AND seq < ? ${surface ? 'AND surface = 1' : ''}
      ORDER BY seq ${reverse ? 'DESC' : 'ASC'} LIMIT ?
    )
  `
}
