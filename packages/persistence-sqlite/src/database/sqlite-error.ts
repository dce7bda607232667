import { isSessionError, SessionError } from '@dsh/session'

/** Result codes of SQLite by their number, without the extension in the higher bits. */
const names: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  18: 'SQLITE_TOOBIG',
  26: 'SQLITE_NOTADB',
}

/** What was being done, and to what, when the database refused it. */
export interface DatabaseTask {
  /** A verb phrase. */
  readonly purpose: string
  readonly session?: string
}

/**
 * What a call of the database threw, as an error of this project. Damage that shows while one session is worked on is
 * that session's.
 */
export function databaseError(
  cause: unknown,
  file: string,
  { purpose, session }: DatabaseTask,
  indeterminate = false,
): SessionError {
  if (isSessionError(cause)) return cause
  const sqlite = resultName(cause)
  const reason = cause instanceof Error ? cause.message : String(cause)
  const found = sqlite === undefined ? reason : `${sqlite}: ${reason}`
  const place = { file, ...(session !== undefined && { session }) }
  if (session !== undefined && isDamage(cause)) {
    return new SessionError('SESSION_CORRUPT', { expected: `to ${purpose}`, found, ...place, cause })
  }
  const details = { indeterminate, ...(sqlite !== undefined && { sqlite }) }
  return new SessionError('STORAGE_FAILED', { expected: `to ${purpose}`, found, ...place, details, cause })
}

/** Whether SQLite found its file damaged, or to be none of its own. */
export function isDamage(error: unknown): boolean {
  const name = resultName(error)
  return name === 'SQLITE_CORRUPT' || name === 'SQLITE_NOTADB'
}

/** Whether another connection was in the way. */
export function isBusy(error: unknown): boolean {
  const name = resultName(error)
  return name === 'SQLITE_BUSY' || name === 'SQLITE_LOCKED'
}

/** Whether the disk itself failed, so that nobody knows what became of a commit. */
export function isDiskFailure(error: unknown): boolean {
  return resultName(error) === 'SQLITE_IOERR'
}

function resultName(error: unknown): string | undefined {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  if (typeof errcode !== 'number') return undefined
  return names[errcode & 0xff] ?? `SQLite result ${errcode}`
}
