import type { ErrorPlace, SessionErrorCode } from '@dsh/session'
import { isSessionError, SessionError } from '@dsh/session'

/** An error as it crosses to another thread, which would leave out all but its message. */
export interface ErrorImage extends ErrorPlace {
  readonly code: SessionErrorCode
  readonly expected: string
  readonly found: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The image of what an operation threw. A failure without a code is the storage's. */
export function imageOfError(error: unknown): ErrorImage {
  if (!isSessionError(error)) {
    const found = error instanceof Error ? error.message : String(error)
    return {
      code: 'STORAGE_FAILED',
      expected: 'the database to carry out an operation',
      found,
      details: { indeterminate: true },
    }
  }
  const { code, expected, found, details, session, seq, path, file, line, byte } = error
  const place = Object.entries({ session, seq, path, file, line, byte }).filter(([, value]) => value !== undefined)
  return { code, expected, found, details, ...Object.fromEntries(place) }
}

/** The error that an image was made of. */
export function errorOfImage({ code, ...init }: ErrorImage): SessionError {
  return new SessionError(code, init)
}
