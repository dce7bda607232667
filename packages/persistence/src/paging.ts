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
      (after === undefined || compare(entry, after) * direction >= 0),
  )
  matching.sort((left, right) => compare(left, right) * direction)
  // Entries can share time and id: copies of a session, and sessions in the trash.
  const shown = after === undefined ? 0 : Math.min(after.ordinal, countEqual(matching, after))
  const page = matching.slice(shown, shown + limit)
  if (shown + page.length === matching.length) return { entries: page }
  const last = page[page.length - 1]!
  const before = after !== undefined && compare(page[0]!, after) === 0 && compare(last, after) === 0 ? shown : 0
  return { entries: page, cursor: formatCursor(last, before + page.filter(entry => compare(entry, last) === 0).length) }
}

function countEqual(entries: readonly Key[], key: Key): number {
  const end = entries.findIndex(entry => compare(entry, key) !== 0)
  return end < 0 ? entries.length : end
}

/** The limit of a page, infinite where none is given. @throws INVALID_BOUNDARY for one that is none */
export function requireLimit(limit = Infinity): number {
  if (limit === Infinity || (Number.isSafeInteger(limit) && limit >= 1)) return limit
  throw new SessionError('INVALID_BOUNDARY', { expected: 'a limit of 1 or more', found: String(limit) })
}

type Key = Pick<ListEntry, 'lastTime' | 'id'>

/** A place in the order of a list. */
export interface Cursor extends Key {
  /** Tells entries of the same time and id apart: the first has 1. */
  readonly ordinal: number
}

/** Writes a place in the order of a list as an opaque cursor. */
export function formatCursor({ lastTime, id }: Key, ordinal = 1): string {
  return JSON.stringify(ordinal === 1 ? [lastTime, id] : [lastTime, id, ordinal])
}

/** Reads a cursor that {@link formatCursor} wrote. @throws INVALID_BOUNDARY for anything else */
export function parseCursor(cursor: string): Cursor {
  try {
    const [lastTime, id, ordinal = 1, ...rest] = JSON.parse(cursor)
    const isOrdinal = Number.isSafeInteger(ordinal) && ordinal >= 1
    if (typeof lastTime === 'number' && typeof id === 'string' && isOrdinal && rest.length === 0) {
      return { lastTime, id: id as SessionId, ordinal }
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
