import type { SessionEvent, SessionView, StoredRow } from '@dsh/session'
import { encodeRows, SESSION_FORMAT_VERSION } from '@dsh/session'
import { storedEntries } from '@dsh/session/host'
import type { Clock } from './clock.js'
import type { StoredRecord } from './driver.js'
import { Pauses } from './pauses.js'

/** Events of one session on their way to the storage. Immutable: a retry writes the very same bytes. */
export interface Batch {
  readonly from: number
  readonly to: number
  readonly records: readonly StoredRecord[]
}

/** How a batch is cut from a log. */
export interface BatchOptions {
  /** Whether runs of stream deltas share records. */
  readonly packChunks: boolean
  /** The batch reaches at least up to here; by default it ends where it grows large. */
  readonly atLeast?: number
}

/** A batch takes no further events from here on, so that memory and the time of one sync stay bounded. */
const LARGE_BATCH = 4 << 20
/** Events that are encoded at a time. */
const SLICE = 512

/** The events of `view` from `from` to before `to` as records; the batch may end earlier. Rows are passed on as they are. */
export async function encodeBatch(
  view: SessionView,
  from: number,
  to: number,
  clock: Clock,
  { packChunks, atLeast = from }: BatchOptions,
): Promise<Batch> {
  const records: StoredRecord[] = []
  let bytes = 0
  const pauses = new Pauses(clock, 1)
  for (const rows of slices(view, from, to, packChunks)) {
    for (const row of rows) {
      records.push('version' in row ? (row as StoredRecord) : { ...row, version: SESSION_FORMAT_VERSION })
      bytes += row.body.length
    }
    const end = endOf(records, from)
    if (bytes >= LARGE_BATCH && end >= atLeast) break
    if (end < to && pauses.isDue()) await pauses.take()
  }
  return { from, to: endOf(records, from), records }
}

function* slices(view: SessionView, from: number, to: number, pack: boolean): Iterable<readonly StoredRow[]> {
  let events: SessionEvent[] = []
  let rows: StoredRow[] = []
  for (const entry of storedEntries(view, from, to)) {
    if ('body' in entry) {
      if (events.length > 0) yield encodeRows(events, { pack })
      events = []
      rows.push(entry)
    } else {
      if (rows.length > 0) yield rows
      rows = []
      events.push(entry)
    }
    if (rows.length === SLICE) {
      yield rows
      rows = []
    } else if (events.length === SLICE) {
      yield encodeRows(events, { pack })
      events = []
    }
  }
  if (rows.length > 0) yield rows
  if (events.length > 0) yield encodeRows(events, { pack })
}

function endOf(records: readonly StoredRecord[], from: number): number {
  const last = records.at(-1)
  return last === undefined ? from : last.seq + last.count
}
