import type { SessionErrorCode, SessionId } from '@dsh/session'
import { isSessionError, SessionError } from '@dsh/session'

/**
 * What a driver threw, as an error of this project. Anything without a code is a storage failure whose outcome nobody
 * knows.
 */
export function storageError(error: unknown, session?: SessionId): SessionError {
  if (isSessionError(error)) return error
  return new SessionError('STORAGE_FAILED', {
    expected: 'the storage to carry out an operation',
    found: error instanceof Error ? error.message : String(error),
    cause: error,
    details: { indeterminate: true },
    ...(session !== undefined && { session }),
  })
}

/** Whether a failed write may nevertheless have been stored. */
export function isIndeterminate(error: SessionError): boolean {
  return error.code === 'STORAGE_FAILED' && error.details.indeterminate === true
}

const retriable: readonly SessionErrorCode[] = ['STORAGE_FAILED', 'SESSION_LOCKED']

/** Whether trying again later can help; what says that the session is no longer ours is final. */
export function isRetriable(error: SessionError): boolean {
  return retriable.includes(error.code)
}

/** The refusal of a backend that was closed. */
export function closedError(session?: SessionId): SessionError {
  return new SessionError('STORAGE_FAILED', {
    expected: 'a backend that is open',
    found: 'one that was closed',
    details: { indeterminate: false },
    ...(session !== undefined && { session }),
  })
}
