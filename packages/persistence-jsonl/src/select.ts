import type { ReadRange, StoredRecord } from '@dsh/persistence/driver'

/** The records that overlap the range, straddling ones whole. */
export function select(records: StoredRecord[], range: ReadRange): StoredRecord[] {
  const { from = 0, to = Infinity, filter } = range
  if (filter === undefined && isWithin(records, from, to)) return records
  const found: StoredRecord[] = []
  for (const record of records) {
    if (record.seq + record.count <= from || record.seq >= to) continue
    if (filter === undefined) found.push(record)
    // A copy, so that one message does not hold on to a megabyte of deltas.
    else if (record.surface) found.push({ ...record, body: Uint8Array.prototype.slice.call(record.body) })
  }
  return found
}

/** Whether records in the order of the log all lie inside a range, as those of most batches do. */
function isWithin(records: readonly StoredRecord[], from: number, to: number): boolean {
  const [first, last] = [records[0], records.at(-1)]
  return first !== undefined && last !== undefined && first.seq >= from && last.seq < to
}
