import type { LlmCallConfig, LlmFailure, Message, StreamChunk } from '@dsh/llm'
import type { EpochHeader } from '@dsh/session'

/** What a model is sent: exactly what `requestAt` reads back from the log. */
export interface ModelRequest {
  readonly header: EpochHeader
  readonly messages: readonly Message[]
}

/** A model that can be called. */
export interface Provider {
  /** The route of a call, and how it is asked. */
  readonly config: LlmCallConfig
  /** Most tokens of request and answer together, where it is known. */
  readonly contextWindow?: number
  /**
   * Sends a request and streams the answer. The last chunk is the only `finish`; a request that fails ends with the
   * reason `error`, an aborted one with `aborted`. Never throws.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamChunk>
}

/**
 * How a request failed: the connection broke or never came about, the stream was none of this protocol, nothing came for
 * too long, the provider answered with an HTTP status, told of a failure in the stream, or withheld the answer.
 */
export type FailureCode =
  | 'CONNECTION_FAILED'
  | 'MALFORMED_STREAM'
  | 'STALLED'
  | 'HTTP_ERROR'
  | 'PROVIDER_ERROR'
  | 'CONTENT_FILTERED'

/** Whether the same request may succeed later: the connection broke, or the provider is busy. */
export function isPassing({ code, status }: LlmFailure): boolean {
  if (status === undefined) return passing.includes(code)
  return status === 408 || status === 409 || status === 429 || status >= 500
}

const passing: readonly string[] = ['CONNECTION_FAILED', 'MALFORMED_STREAM', 'STALLED'] satisfies FailureCode[]
