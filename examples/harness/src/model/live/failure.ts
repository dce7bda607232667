import type { LlmFailure } from '@dsh/llm'
import { APICallError, InvalidResponseDataError, JSONParseError, StreamProviderError, TypeValidationError } from 'ai'
import type { FailureCode } from '../provider.ts'

/** A failure of a code. */
export function failure(code: FailureCode, message: string): LlmFailure {
  return { code, message }
}

/** A failure of the SDK or of the connection in neutral terms. */
export function llmFailure(error: unknown): LlmFailure {
  if (APICallError.isInstance(error)) return callFailure(error)
  if (StreamProviderError.isInstance(error)) {
    const { message, statusCode: status } = error
    return { ...failure('PROVIDER_ERROR', message), ...(status !== undefined && { status }) }
  }
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return failure('MALFORMED_STREAM', 'The provider sent what is no chunk of its protocol.')
  }
  if (InvalidResponseDataError.isInstance(error)) return failure('MALFORMED_STREAM', error.message)
  return failure('PROVIDER_ERROR', error instanceof Error ? error.message : (JSON.stringify(error) ?? String(error)))
}

function callFailure(error: APICallError): LlmFailure {
  const { statusCode: status, message, responseHeaders = {} } = error
  // Behind a status of success the answer itself broke off.
  if (status === undefined || status < 400) return failure('CONNECTION_FAILED', message)
  const retryAfter = retryAfterMs(responseHeaders)
  const requestId = responseHeaders['x-request-id'] ?? responseHeaders['request-id']
  return {
    ...failure('HTTP_ERROR', message || `HTTP status ${status}`),
    status,
    ...(retryAfter !== undefined && { providerRetryAfterMs: retryAfter }),
    ...(requestId !== undefined && { requestId }),
  }
}

/** Longest wait that a provider is granted, in milliseconds. */
const MAX_WAIT_MS = 60_000

function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_WAIT_MS) : undefined
}
