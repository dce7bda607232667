import type { LlmFailure } from '@dsh/llm'
import type { TurnEndReason } from './turn.js'

/** What went wrong in step `step`: a model request that failed for good, or anything else that was thrown. */
export type TurnError = { readonly step: number } & (
  | { readonly failure: LlmFailure }
  | { readonly message: string; readonly code?: string }
)

/** What is known of a turn when it ends. An absent fact is not the case. */
export interface TurnEndFacts {
  /** The owner of the session went away. */
  readonly disposed?: boolean
  /** Somebody cancelled the turn. */
  readonly aborted?: boolean
  readonly error?: TurnError
  /** A step was cut at its output limit. */
  readonly maxTokens?: boolean
}

/**
 * The one reason for which a turn ended. `disposed` outranks `aborted`, which outranks `error`; all of them outrank
 * `max-tokens`, which outranks `completed`.
 */
export function turnEndReason(facts: TurnEndFacts): TurnEndReason {
  if (facts.disposed) return { kind: 'disposed' }
  if (facts.aborted) return { kind: 'aborted' }
  if (facts.error) return { kind: 'error', ...facts.error }
  return facts.maxTokens ? { kind: 'max-tokens' } : { kind: 'completed' }
}
