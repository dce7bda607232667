import type { SessionId } from '@dsh/session'
import { keyOf } from '../session-key.js'
import { refuseStored } from './create.js'
import type { Database } from './database.js'
import { writeIndexed } from './index-records.js'
import { findSession } from './open.js'
import type { SessionRow } from './session-row.js'
import { moveSession, requireFound, SESSION_COLUMNS } from './session-row.js'
import { isDamage } from './sqlite-error.js'
import type { Store } from './store.js'

export interface RemoveArguments {
  readonly id: SessionId
}

export interface FindArguments extends RemoveArguments {
  /** Whether to look in the trash, and not among the others. */
  readonly trashed: boolean
}

/** Pages that are given back to the file system in one transaction. */
const VACUUM_PAGES = 1_000

/** @throws SESSION_NOT_FOUND, STORAGE_FAILED */
export function requireStored({ database }: Store, { id, trashed }: FindArguments): void {
  const sql = `SELECT 1 FROM sessions ${whereSession(trashed)}`
  database.read({ purpose: 'look for the session' }, () =>
    requireFound(database.get(sql, keyOf(id)), database.file, id),
  )
}

function whereSession(trashed: boolean): string {
  return `WHERE key = ? AND trashed ${trashed ? '> 0' : '= 0'}`
}

/**
 * Removes the stored session of an id whose ownership the caller has, or all that the trash holds.
 * @throws SESSION_NOT_FOUND, STORAGE_FAILED
 */
export function removeSession(store: Store, { id, trashed }: FindArguments): void {
  const { database } = store
  const task = { purpose: 'remove the session', session: id }
  const remove = (withRecords: boolean) =>
    writeIndexed(store, task, () => {
      const found = database.all<{ no: number }>(`SELECT no FROM sessions ${whereSession(trashed)}`, keyOf(id))
      requireFound(found[0], database.file, id)
      for (const { no } of found) {
        if (withRecords) removeRecords(store, no)
        database.run('DELETE FROM sessions WHERE no = ?', no)
      }
    })
  try {
    remove(true)
  } catch (error) {
    // The damage may keep its records from being found. Nothing else leads to them.
    if (!isDamage((error as Error).cause)) throw error
    remove(false)
  }
  shrink(database)
}

/** Moves a session to the trash, which keeps every session that had an id. @throws as {@link removeSession} */
export function trashSession({ database }: Store, { id }: RemoveArguments): void {
  database.write({ purpose: 'move the session to the trash', session: id }, () => {
    const row = findSession(database, id)
    const last = database.get<{ trashed: number | null }>(
      'SELECT max(trashed) AS trashed FROM sessions WHERE key = ?',
      keyOf(id),
    )
    moveSession(database, row, (last?.trashed ?? 0) + 1)
  })
}

/**
 * Takes a session out of the trash, of several that had the same id the last one.
 * @throws SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, STORAGE_FAILED
 */
export function restoreSession({ database }: Store, { id }: RemoveArguments): void {
  database.write({ purpose: 'take the session out of the trash', session: id }, () => {
    const sql = `SELECT ${SESSION_COLUMNS} FROM sessions WHERE key = ? AND trashed > 0 ORDER BY sessions.trashed DESC LIMIT 1`
    const row = requireFound(database.get<SessionRow>(sql, keyOf(id)), database.file, id)
    refuseStored({ database }, id)
    moveSession(database, row, 0)
  })
}

function removeRecords({ database, index }: Store, no: number): void {
  const texts = database.all<{ id: number }>('SELECT id FROM records WHERE session = ? AND surface = 1', no)
  index.remove(texts.map(({ id }) => id))
  database.run('DELETE FROM records WHERE session = ?', no)
}

function shrink(database: Database): void {
  const free = () => database.get<{ freelist_count: number }>('PRAGMA freelist_count')!.freelist_count
  try {
    for (let before = free(); before > 0; ) {
      database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`)
      const after = free()
      if (after >= before) return
      before = after
    }
  } catch {
    // Free pages are used again in any case.
  }
}
