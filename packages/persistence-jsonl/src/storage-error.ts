import { isSessionError, SessionError } from '@dsh/session'

interface Place {
  readonly file: string
  readonly session?: string
}

/**
 * The error for an operation that the storage refused or failed, and that changed nothing; one that has a code already
 * stays as it is.
 * @param purpose what was being done, as a verb phrase
 */
export function storageFailed(purpose: string, cause: unknown, place: Place): SessionError {
  return isSessionError(cause) ? cause : failed(purpose, cause, place, false)
}

/** The error for an operation that may have been carried out although it failed. */
export function outcomeUnknown(purpose: string, cause: unknown, place: Place): SessionError {
  return failed(purpose, cause, place, true)
}

export function notFound(file: string, session: string | undefined): SessionError {
  const place = { file, ...(session !== undefined && { session }) }
  return new SessionError('SESSION_NOT_FOUND', { expected: 'a stored session', found: 'none', ...place })
}

function failed(purpose: string, cause: unknown, place: Place, indeterminate: boolean): SessionError {
  const found = cause instanceof Error ? cause.message : String(cause)
  const errno = (cause as NodeJS.ErrnoException | undefined)?.code
  const details = { indeterminate, ...(errno !== undefined && { errno }) }
  return new SessionError('STORAGE_FAILED', { expected: `to ${purpose}`, found, ...place, details, cause })
}

/** Whether a file operation failed with one of `codes`. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}
