import { isSessionError, type SessionError, type SessionErrorCode } from '@dsh/session'
import { expect } from 'vitest'

/** Runs `action`, expects a SessionError with `code`, and gives it back. */
export function expectError(code: SessionErrorCode, action: () => unknown): SessionError {
  let thrown: unknown
  try {
    action()
  } catch (error) {
    thrown = error
  }
  if (!isSessionError(thrown)) throw new Error(`expected a SessionError with ${code}, found ${String(thrown)}`)
  expect(thrown.code).toBe(code)
  return thrown
}
