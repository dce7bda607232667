import type { SessionErrorCode, SessionEvent, SessionId } from '@dsh/session'
import { decodeRow, isSessionError, SESSION_FORMAT_VERSION, SessionError } from '@dsh/session'
import type { StoredRecord } from './driver.js'

/** The events of a stored record. @throws SESSION_CORRUPT, FORMAT_UNSUPPORTED */
export function decodeRecord(record: StoredRecord, session: SessionId): readonly SessionEvent[] {
  requireVersion(record, session)
  try {
    return decodeRow(record)
  } catch (error) {
    throw asCorrupt(error, session)
  }
}

/** @throws FORMAT_UNSUPPORTED naming the direction */
export function requireVersion({ version, seq }: StoredRecord, session: SessionId): void {
  if (version === SESSION_FORMAT_VERSION) return
  throw new SessionError('FORMAT_UNSUPPORTED', {
    expected: `records of format version ${SESSION_FORMAT_VERSION}`,
    found: `the ${version > SESSION_FORMAT_VERSION ? 'newer' : 'older'} version ${version}`,
    session,
    seq,
  })
}

const refusals: readonly SessionErrorCode[] = ['INVALID_EVENT', 'SURFACE_CONFLICT', 'NOT_JSON']

/** What the core refuses in a stored log is damage of that log; any other failure stays what it is. */
export function asCorrupt(error: unknown, session: SessionId): unknown {
  if (!isSessionError(error) || !refusals.includes(error.code)) return error
  const { expected, found, seq, path } = error
  return new SessionError('SESSION_CORRUPT', {
    expected,
    found,
    session,
    ...(seq !== undefined && { seq }),
    ...(path !== undefined && { path }),
    cause: error,
  })
}
