import type { LlmFailure } from '@dsh/llm'
import { APICallError, JSONParseError, TypeValidationError } from 'ai'
import type { FailureCode } from '../provider.ts'

/** A failure of the SDK or of the connection in neutral terms. */
export function llmFailure(error: unknown): LlmFailure {
  if (APICallError.isInstance(error)) return callFailure(error)
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return failure('MALFORMED_STREAM', 'The provider sent what is not a chunk of its protocol.')
  }
  if (!(error instanceof Error)) return failure('PROVIDER_ERROR', describe(error))
  const isBroken = error instanceof TypeError || 'code' in error || error.cause !== undefined
  return failure(isBroken ? 'CONNECTION_FAILED' : 'PROVIDER_ERROR', error.message)
}

/** A failure of a code. */
export function failure(code: FailureCode, message: string): LlmFailure {
  return { code, message }
}

function callFailure(error: APICallError): LlmFailure {
  const { statusCode: status, message, responseHeaders = {} } = error
  // A status of success means that what followed it was no stream.
  if (status !== undefined && status < 400) return failure('MALFORMED_STREAM', message)
  if (status === undefined) return failure('CONNECTION_FAILED', message)
  const retryAfter = retryAfterMs(responseHeaders)
  const requestId = responseHeaders['x-request-id'] ?? responseHeaders['request-id']
  return {
    message: message || `HTTP ${status}`,
    code: 'HTTP_ERROR' satisfies FailureCode,
    status,
    ...(retryAfter !== undefined && { providerRetryAfterMs: retryAfter }),
    ...(requestId !== undefined && { requestId }),
  }
}

/** Longest wait that is granted to a provider, in milliseconds. */
const MAX_WAIT_MS = 60_000

function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '')
  const seconds = Number.parseFloat(headers['retry-after'] ?? '')
  const date = Date.parse(headers['retry-after'] ?? '') - Date.now()
  const wait = [ms, seconds * 1000, date].find(value => Number.isFinite(value))
  return wait === undefined ? undefined : Math.min(Math.max(wait, 0), MAX_WAIT_MS)
}

function describe(error: unknown): string {
  if (typeof error === 'string') return error
  const { message } = (error ?? {}) as { readonly message?: unknown }
  return typeof message === 'string' ? message : (JSON.stringify(error) ?? String(error))
}
