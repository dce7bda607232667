import type { SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { ListEntry, ListPage, ListQuery } from './driver.js'

/**
 * Filters, orders and pages entries that a driver holds all at once. An entry without a header matches no filter.
 * @throws INVALID_BOUNDARY for a cursor or a limit that is none
 */
export function pageEntries(entries: Iterable<ListEntry>, query: ListQuery): ListPage {
  const limit = requireLimit(query.limit)
  const direction = query.order === 'oldest' ? 1 : -1
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor)
  const matching = [...entries].filter(
    entry =>
      (query.cwd === undefined || entry.header?.cwd === query.cwd) &&
      (query.parent === undefined || entry.header?.parentSession === query.parent) &&
      (after === undefined || compare(entry, after) * direction > 0),
  )
  matching.sort((left, right) => compare(left, right) * direction)
  if (matching.length <= limit) return { entries: matching }
  const page = matching.slice(0, limit)
  return { entries: page, cursor: formatCursor(page[page.length - 1]!) }
}

/** The limit of a page, infinite where none is given. @throws INVALID_BOUNDARY for one that is none */
export function requireLimit(limit = Infinity): number {
  if (limit === Infinity || (Number.isSafeInteger(limit) && limit >= 1)) return limit
  throw new SessionError('INVALID_BOUNDARY', { expected: 'a limit of 1 or more', found: String(limit) })
}

type Key = Pick<ListEntry, 'lastTime' | 'id'>

/** Writes a place in the order of a list as an opaque cursor. */
export function formatCursor(entry: Key): string {
  return JSON.stringify([entry.lastTime, entry.id])
}

/** Reads a cursor that {@link formatCursor} wrote. @throws INVALID_BOUNDARY for anything else */
export function parseCursor(cursor: string): Key {
  try {
    const [lastTime, id, ...rest] = JSON.parse(cursor)
    if (typeof lastTime === 'number' && typeof id === 'string' && rest.length === 0) {
      return { lastTime, id: id as SessionId }
    }
  } catch {}
  throw new SessionError('INVALID_BOUNDARY', {
    expected: 'a cursor from an earlier page',
    found: JSON.stringify(cursor),
  })
}

function compare(left: Key, right: Key): number {
  if (left.lastTime !== right.lastTime) return left.lastTime - right.lastTime
  return left.id === right.id ? 0 : left.id < right.id ? -1 : 1
}
