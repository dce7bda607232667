import type { LlmFailure } from '@dsh/llm'
import { describeThrown } from '../describe.js'
import type { TurnError } from '../turn-end-reason.js'

/**
 * What the log keeps of a thrown value: the facts of an {@link LlmFailure}, else the message and, where it is a string,
 * the code.
 * @param step the step that failed
 */
export function turnError(step: number, error: unknown): TurnError {
  if (isFailure(error)) return { step, failure: failureFacts(error) }
  if (!(error instanceof Error)) return { step, message: describeThrown(error) }
  const code: unknown = 'code' in error ? error.code : undefined
  return { step, message: error.message || error.name, ...(typeof code === 'string' && code !== '' && { code }) }
}

/** The facts of a failure that the log has a place for; whatever else an adapter has put there is left out. */
export function failureFacts({ message, code, status, providerRetryAfterMs, requestId }: LlmFailure): LlmFailure {
  return {
    message,
    code,
    ...(isStatus(status) && { status }),
    ...(Number.isFinite(providerRetryAfterMs) && { providerRetryAfterMs: Math.max(0, providerRetryAfterMs!) }),
    ...(typeof requestId === 'string' && requestId !== '' && { requestId }),
  }
}

function isStatus(status: unknown): boolean {
  return Number.isSafeInteger(status) && (status as number) >= 0 && !Object.is(status, -0)
}

function isFailure(error: unknown): error is LlmFailure {
  if (typeof error !== 'object' || error === null || error instanceof Error) return false
  return 'message' in error && typeof error.message === 'string' && 'code' in error && typeof error.code === 'string'
}
