/** A failed model request in provider-neutral terms. `providerRetryAfterMs` is in milliseconds. */
export interface LlmFailure {
  readonly message: string
  readonly code: string
  readonly status?: number
  readonly providerRetryAfterMs?: number
  readonly requestId?: string
}

/** Why a model stopped, by kind. Merge-extensible. */
export interface FinishReasonMap {
  stop: { readonly kind: 'stop' }
  'tool-calls': { readonly kind: 'tool-calls' }
  'max-tokens': { readonly kind: 'max-tokens' }
  aborted: { readonly kind: 'aborted' }
  error: { readonly kind: 'error'; readonly failure: LlmFailure }
}

/** Why a model stopped. */
export type FinishReason = FinishReasonMap[keyof FinishReasonMap]
