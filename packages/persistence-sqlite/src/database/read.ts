import type { SessionError } from '@dsh/session'
import type { RecordBlock } from '../record-block.js'
import type { Database } from './database.js'
import type { RecordSpan, ScanRange } from './scan.js'
import { scanRecords } from './scan.js'
import type { SessionRef } from './session-row.js'
import { damaged, requireFound } from './session-row.js'
import type { Store } from './store.js'

export interface ReadArguments {
  readonly ref: SessionRef
  readonly from: number
  readonly to: number
  readonly reverse: boolean
  readonly surface: boolean
  /** Most records to give. */
  readonly rows: number
  /** The end of the log that the read sees; where absent, the present one. */
  readonly end?: number | undefined
}

/** Some of the records of a range. */
export interface ReadPage {
  readonly block: RecordBlock
  readonly end: number
  /** What remains of the range; absent when nothing does. */
  readonly rest?: { readonly from: number; readonly to: number }
}

/**
 * Reads records that overlap a range, one that straddles its start or end whole.
 * @throws SESSION_CORRUPT, SESSION_NOT_FOUND when the session was removed, STORAGE_FAILED
 */
export function readRecords({ database }: Store, query: ReadArguments): ReadPage {
  const { ref, reverse, surface, rows } = query
  return database.read({ purpose: 'read the session', session: ref.id }, () => {
    const end = query.end ?? endOf(database, ref)
    const from = Math.max(0, query.from)
    const to = Math.min(query.to, end)
    const first = from < end ? recordOf(database, ref, from) : undefined
    const range = { from: first?.seq ?? from, to, reverse, surface, rows }
    const { block, spans } = scanRecords(database, ref, range)
    const missing = surface ? findSurfaceGap(database, ref, range, spans) : findGap(range, spans)
    if (missing !== undefined) throw lost(database, ref, missing)
    const rest = restOf(range, spans)
    return { block, end, ...(rest && { rest }) }
  })
}

function endOf(database: Database, { no, id }: SessionRef): number {
  const row = database.get<{ next_seq: number }>('SELECT next_seq FROM sessions WHERE no = ?', no)
  return requireFound(row, database.file, id).next_seq
}

interface Located extends RecordSpan {
  readonly surface: number
}

/** The record that holds event `seq`, found by the index of all records. */
function recordOf(database: Database, ref: SessionRef, seq: number): Located {
  const sql = `
    SELECT seq, seq + count AS end, surface, surfaces FROM records WHERE session = ? AND seq <= ? ORDER BY seq DESC LIMIT 1
  `
  const row = database.get<Located>(sql, ref.no, seq)
  if (row && row.end > seq) return row
  throw lost(database, ref, seq)
}

/** The first event in the order of a scan that lies in none of its records although it should. */
function findGap({ from, to, reverse, rows }: ScanRange, spans: readonly RecordSpan[]): number | undefined {
  const isWhole = spans.length < rows
  if (reverse) {
    let before = to
    for (const { seq, end } of spans) {
      if (before === to ? end < to : end !== before) return before - 1
      before = seq
    }
    return isWhole && before > from ? before - 1 : undefined
  }
  let next = from
  for (const { seq, end } of spans) {
    if (seq !== next) return next
    next = end
  }
  return isWhole && next < to ? next : undefined
}

/**
 * Where a record of the surface is missing from a scan: there must be as many as the records at the edges of the range
 * say, and those are found by another index.
 */
function findSurfaceGap(
  database: Database,
  ref: SessionRef,
  { from, to, reverse, rows }: ScanRange,
  spans: readonly RecordSpan[],
): number | undefined {
  if (from >= to) return undefined
  const [first, last] = [recordOf(database, ref, from), recordOf(database, ref, to - 1)]
  const expected = { first: first.surfaces - first.surface + 1, last: last.surfaces }
  const isWhole = spans.length < rows
  const ordered = reverse ? spans.toReversed() : spans
  let next = reverse && !isWhole ? (ordered[0]?.surfaces ?? expected.first) : expected.first
  for (const { seq, surfaces } of ordered) {
    if (surfaces !== next) return seq
    next = surfaces + 1
  }
  const end = !reverse && !isWhole ? next - 1 : expected.last
  return next - 1 === end ? undefined : last.seq
}

function lost(database: Database, ref: SessionRef, seq: number): SessionError {
  // A session that was removed meanwhile is not damaged.
  endOf(database, ref)
  return damaged(`the record of event ${seq}`, 'none', database.file, ref.id, seq)
}

function restOf({ from, to, reverse, rows }: ScanRange, spans: readonly RecordSpan[]): ReadPage['rest'] {
  const last = spans.at(-1)
  if (!last || spans.length < rows) return undefined
  const rest = reverse ? { from, to: last.seq } : { from: last.end, to }
  return rest.from < rest.to ? rest : undefined
}
