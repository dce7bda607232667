import { setImmediate } from 'node:timers/promises'
import type { StoredRecord } from '@dsh/persistence/driver'
import type { RecordBlock } from './record-block.js'
import { packRecords } from './record-block.js'

const BLOCK_BYTES = 4 << 20
const BLOCK_RECORDS = 4_096

/** Packs records into blocks, and lets others run after each: the first batch of a session may be a whole log. */
export async function packSlowly(records: readonly StoredRecord[]): Promise<RecordBlock[]> {
  const blocks: RecordBlock[] = []
  for (let start = 0; start < records.length; ) {
    let bytes = 0
    let end = start
    while (end < records.length && bytes < BLOCK_BYTES && end - start < BLOCK_RECORDS)
      bytes += records[end++]!.body.length
    if (start > 0) await setImmediate()
    blocks.push(packRecords(start === 0 && end === records.length ? records : records.slice(start, end)))
    start = end
  }
  return blocks
}
