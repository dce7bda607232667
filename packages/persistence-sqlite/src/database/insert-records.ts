import { lastActivity } from '@dsh/persistence/driver'
import type { RecordBlock } from '../record-block.js'
import { unpackRecords } from '../record-block.js'
import type { IndexedText, TextIndex } from '../search/text-index.js'
import { recordChecksum, recordHead } from './checksum.js'
import type { Database } from './database.js'
import { roleOfType, textOfRecord } from './searchable.js'
import { formatTypeName } from './type-name.js'

/** What a batch changes in the row of its session. */
export interface BatchFacts {
  readonly next_seq: number
  readonly last_time: number
  readonly bytes: number
  readonly surfaces: number
  readonly in_turn: number
}

// A body is bound as bytes and becomes text without being decoded, so that each of them stays as it is.
const INSERT = `
  INSERT INTO records (session, seq, count, time, surface, surfaces, version, type, crc, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))
`

/** Where a batch begins. */
export interface BatchStart extends BatchFacts {
  /** When the session was created: `last_time` is never before it. */
  readonly createdAt: number
}

/** Inserts records, which follow each other without a gap, and indexes their texts. */
export function insertRecords(
  database: Database,
  index: TextIndex,
  session: number,
  blocks: readonly RecordBlock[],
  before: BatchStart,
): BatchFacts {
  let { next_seq, last_time, bytes, surfaces, in_turn } = before
  const texts: IndexedText[] = []
  for (const record of blocks.flatMap(unpackRecords)) {
    const { seq, count, time, version, body } = record
    const surface = record.surface ? 1 : 0
    surfaces += surface
    const type = formatTypeName(record.type)
    const crc = recordChecksum(recordHead({ seq, count, time, surface, surfaces, version, type }), body)
    const { id } = database.run(INSERT, ...[session, seq, count, time, surface, surfaces, version, type, crc, body])
    if (roleOfType(record.type) !== undefined) texts.push({ id, text: textOfRecord(record) })
    next_seq = seq + count
    last_time = lastActivity(before, time)
    bytes += body.length
    if (type === 'turn/start') in_turn = 1
    else if (type === 'turn/end') in_turn = 0
  }
  index.add(texts.filter(({ text }) => text !== ''))
  return { next_seq, last_time, bytes, surfaces, in_turn }
}
