import type { ListEntry, ListQuery } from '@dsh/persistence/driver'
import { parseCursor, requireLimit } from '@dsh/persistence/driver'
import { cursorAfter } from '../cursor-after.js'
import { type ErrorImage, imageOfError } from '../error-image.js'
import { keyOf } from '../session-key.js'
import type { Database } from './database.js'
import type { SessionRow } from './session-row.js'
import { idOf, readHeader, SESSION_COLUMNS } from './session-row.js'
import { databaseError } from './sqlite-error.js'
import type { Store } from './store.js'

/** An entry of a list on its way to another thread. */
export interface ListedSession extends Omit<ListEntry, 'error'> {
  readonly error?: ErrorImage
}

/** A page of such entries. */
export interface ListedSessions {
  readonly entries: readonly ListedSession[]
  readonly cursor?: string
}

/** A page of stored sessions, each looked at by itself. @throws INVALID_BOUNDARY, STORAGE_FAILED */
export function listSessions({ database }: Store, query: ListQuery): ListedSessions {
  const limit = requireLimit(query.limit)
  const { sql, parameters } = listConditions(query)
  const rows = database.read({ purpose: 'list the sessions' }, () =>
    // One more than asked for tells whether there are more.
    database.all<SessionRow>(
      `SELECT ${SESSION_COLUMNS} FROM sessions ${sql} LIMIT ?`,
      ...parameters,
      limit === Infinity ? -1 : limit + 1,
    ),
  )
  const entries = rows.slice(0, limit).map(row => entryOf(database, row))
  return rows.length <= limit
    ? { entries }
    : { entries, cursor: cursorAfter(entries.at(-1)!, rows[limit - 1]!.trashed) }
}

/** Which sessions a query asks for, in which order. */
export function listConditions({ cwd, parent, cursor, order, trashed }: ListQuery) {
  const conditions = [trashed === true ? 'trashed > 0' : 'trashed = 0']
  const parameters: (Uint8Array | number)[] = []
  if (cwd !== undefined) {
    conditions.push('cwd = ?')
    parameters.push(keyOf(cwd))
  }
  if (parent !== undefined) {
    conditions.push('parent = ?')
    parameters.push(keyOf(parent))
  }
  // Of those that are not in the trash, time and key are enough, and what the indexes hold.
  const columns = ['sessions.last_time', 'key', ...(trashed === true ? ['sessions.trashed'] : [])]
  if (cursor !== undefined) {
    const { lastTime, id, ordinal } = parseCursor(cursor)
    const place = [lastTime, keyOf(id), ordinal].slice(0, columns.length)
    conditions.push(`(${columns.join()}) ${order === 'oldest' ? '>' : '<'} (${place.map(() => '?').join()})`)
    parameters.push(...place)
  }
  const direction = order === 'oldest' ? 'ASC' : 'DESC'
  const sql = `WHERE ${conditions.join(' AND ')} ORDER BY ${columns.map(column => `${column} ${direction}`).join()}`
  return { sql, parameters }
}

function entryOf(database: Database, row: SessionRow): ListedSession {
  const known = { id: idOf(row), nextSeq: row.next_seq, lastTime: row.last_time, bytes: row.bytes }
  try {
    const header = readHeader(row, database.file)
    return { ...known, header, state: row.in_turn === 1 ? 'unfinished' : 'ok' }
  } catch (cause) {
    const error = databaseError(cause, database.file, { purpose: 'read the session', session: known.id })
    return { ...known, state: 'corrupt', error: imageOfError(error) }
  }
}
