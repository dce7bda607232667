import type { LlmFailure, MessageSource } from '@dsh/llm'

/** What started a turn, by kind. Merge-extensible. */
export interface TurnTriggerMap {
  /** A queued message was claimed. */
  message: { readonly kind: 'message'; readonly source: MessageSource }
  /** A recovery turn over the repaired log. */
  retry: { readonly kind: 'retry' }
  /** A producer outside the loop enclosed injected context in a turn of its own; `source` is that of the message. */
  injection: { readonly kind: 'injection'; readonly source: MessageSource }
}

/** What started a turn. */
export type TurnTrigger = TurnTriggerMap[keyof TurnTriggerMap]

/** Why a turn ended, by kind. Merge-extensible. */
export interface TurnEndReasonMap {
  completed: { readonly kind: 'completed' }
  /** A cancellation interrupted the live turn. Who asked for it is not recorded here. */
  aborted: { readonly kind: 'aborted' }
  /** Step `step` threw, or its final model request failed: exactly one of `failure` and `message`. */
  error: { readonly kind: 'error'; readonly step: number } & (
    | { readonly failure: LlmFailure; readonly message?: never; readonly code?: never }
    | { readonly message: string; readonly code?: string; readonly failure?: never }
  )
  /** The owner of the session went away. */
  disposed: { readonly kind: 'disposed' }
  /** At least one step was cut at its output limit, even if the turn went on afterwards. */
  'max-tokens': { readonly kind: 'max-tokens' }
  /** The process died in the turn; recovery closed it when the log was opened again. No loop writes this. */
  interrupted: { readonly kind: 'interrupted' }
}

/** Why a turn ended. */
export type TurnEndReason = TurnEndReasonMap[keyof TurnEndReasonMap]
