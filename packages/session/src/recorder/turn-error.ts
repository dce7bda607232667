import type { LlmFailure } from '@dsh/llm'
import type { TurnError } from '../turn-end-reason.js'

const failureFields = ['message', 'code', 'status', 'providerRetryAfterMs', 'requestId'] as const

/**
 * What the log keeps of a thrown value: the facts of an {@link LlmFailure}, else the message and, where it is a string,
 * the code.
 * @param step the step that failed
 */
export function turnError(step: number, error: unknown): TurnError {
  if (isFailure(error)) {
    const facts = failureFields.filter(key => error[key] !== undefined).map(key => [key, error[key]])
    return { step, failure: Object.fromEntries(facts) }
  }
  if (!(error instanceof Error)) return { step, message: describe(error) }
  const code: unknown = 'code' in error ? error.code : undefined
  return { step, message: error.message || error.name, ...(typeof code === 'string' && code !== '' && { code }) }
}

function isFailure(error: unknown): error is LlmFailure {
  if (typeof error !== 'object' || error === null || error instanceof Error) return false
  return 'message' in error && typeof error.message === 'string' && 'code' in error && typeof error.code === 'string'
}

function describe(error: unknown): string {
  try {
    return String(error)
  } catch {
    // An object without a prototype, or with a `toString` that throws.
    return typeof error
  }
}
