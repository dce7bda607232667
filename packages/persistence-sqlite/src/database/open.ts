import type { SessionHeader, SessionId } from '@dsh/session'
import { keyOf } from '../session-key.js'
import type { Database } from './database.js'
import type { SessionRow } from './session-row.js'
import { readHeader, requireFound, SESSION_COLUMNS, updateSession } from './session-row.js'
import type { Store } from './store.js'
import { verifyRecords } from './verify.js'

/** What a handle knows of its session. */
export interface StoredHead {
  readonly no: number
  readonly header: SessionHeader
  readonly nextSeq: number
  /** Which taking-over of the session this is; for a reader of no meaning. */
  readonly epoch: number
}

export interface OpenArguments {
  readonly id: SessionId
}

/** @throws SESSION_NOT_FOUND, SESSION_CORRUPT, FORMAT_UNSUPPORTED, STORAGE_FAILED */
export function openToRead({ database }: Store, { id }: OpenArguments): StoredHead {
  return database.read({ purpose: 'open the session', session: id }, () => headOf(database, findSession(database, id)))
}

/**
 * Takes a session over: whatever an earlier owner may still send is refused from here on. The whole log is verified first,
 * outside of the transaction that keeps other writers waiting.
 * @throws as {@link openToRead}
 */
export function openToWrite({ database }: Store, { id }: OpenArguments): StoredHead {
  const task = { purpose: 'open the session', session: id }
  for (;;) {
    const verified = database.read(task, () => {
      const head = headOf(database, findSession(database, id))
      verifyRecords(database, { no: head.no, id }, head.nextSeq)
      return head
    })
    const taken = database.write(task, () => {
      const row = findSession(database, id)
      if (row.no !== verified.no || row.next_seq !== verified.nextSeq) return undefined
      const head = { ...headOf(database, row), epoch: row.epoch + 1 }
      updateSession(database, row.no, { ...row, epoch: head.epoch })
      return head
    })
    if (taken) return taken
  }
}

function headOf(database: Database, row: SessionRow): StoredHead {
  return { no: row.no, header: readHeader(row, database.file), nextSeq: row.next_seq, epoch: row.epoch }
}

/** @throws SESSION_NOT_FOUND */
export function findSession(database: Database, id: SessionId): SessionRow {
  const sql = `SELECT ${SESSION_COLUMNS} FROM sessions WHERE key = ? AND trashed = 0`
  return requireFound(database.get<SessionRow>(sql, keyOf(id)), database.file, id)
}
