import type { SessionEvent } from '../event.js'
import type { StoredRow } from '../row.js'
import { invalidRow } from './invalid-row.js'
import { isPackedTag, readPackedRow } from './packed-row.js'
import { parseLine } from './parse-line.js'
import { readEvent } from './read-event.js'
import { unpack } from './unpack.js'

/**
 * The events of a stored row, deep-frozen, equal to those that it was encoded from. Checks the envelope, the parts of a
 * packed row against each other, and the row's own fields against its body; what a payload means is for the caller to
 * check.
 * @throws INVALID_EVENT, naming seq and path
 */
export function decodeRow(row: StoredRow): SessionEvent[] {
  const line = parseLine(row.body, row.seq)
  const events = isPackedTag(line.type) ? unpack(readPackedRow(line, line.type)) : [readEvent(line)]
  const first = events[0]!
  requireEqual(row, 'seq', first.seq)
  requireEqual(row, 'count', events.length)
  requireEqual(row, 'time', events[events.length - 1]!.time)
  requireEqual(row, 'type', line.type as string)
  requireEqual(row, 'surface', 'surfaceOp' in first)
  return events
}

function requireEqual<K extends keyof StoredRow>(row: StoredRow, key: K, inBody: StoredRow[K]): void {
  if (row[key] === inBody) return
  throw invalidRow(`the row's ${key} ${String(row[key])} in its body`, String(inBody), { seq: row.seq, path: key })
}
