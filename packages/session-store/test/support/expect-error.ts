import { SessionError, type SessionErrorCode } from '@dsh/session'
import { expect } from 'vitest'

/** Runs `action`, expects it to throw a session error of `code`, and returns that error. */
export function expectError(code: SessionErrorCode, action: () => unknown): SessionError {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(SessionError)
    expect((error as SessionError).code).toBe(code)
    return error as SessionError
  }
  throw new Error(`expected ${code}, but nothing was thrown`)
}
