import { isSessionError, SessionError } from '@dsh/session'

/**
 * The error for an operation that the storage refused or failed.
 * @param purpose what was being done, as a verb phrase
 */
export function storageFailed(
  purpose: string,
  cause: unknown,
  place: { file: string; session?: string },
  indeterminate = false,
): SessionError {
  if (isSessionError(cause)) return cause
  const { code } = cause as NodeJS.ErrnoException
  const found = cause instanceof Error ? cause.message : String(cause)
  const details = { indeterminate, ...(code !== undefined && { errno: code }) }
  return new SessionError('STORAGE_FAILED', { expected: `to ${purpose}`, found, ...place, details, cause })
}

/** Whether a file operation failed with one of `codes`. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}
