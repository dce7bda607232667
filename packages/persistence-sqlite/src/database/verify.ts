import type { Database } from './database.js'
import { scanRecords } from './scan.js'
import type { SessionRef } from './session-row.js'
import { damaged } from './session-row.js'

const ROWS = 512

/** @throws SESSION_CORRUPT unless every event below `end` lies in a record that fits its checksum, and none beyond it */
export function verifyRecords(database: Database, ref: SessionRef, end: number): void {
  let next = 0
  for (;;) {
    const range = { from: next, to: Number.MAX_SAFE_INTEGER, reverse: false, surface: false, rows: ROWS }
    const { spans } = scanRecords(database, ref, range)
    for (const span of spans) {
      if (span.seq !== next)
        throw damaged(`the record of event ${next}`, `that of ${span.seq}`, database.file, ref.id, next)
      next = span.end
    }
    if (spans.length < ROWS) break
  }
  if (next !== end)
    throw damaged(`a log that ends before event ${end}`, `one before ${next}`, database.file, ref.id, next)
}
