import type { ContentBlock, MessageSource } from '@dsh/llm'

/** A prompt that a hook kept from the model, in place of the `user/message` it would have become. */
export interface PromptBlocked {
  /** What was submitted. */
  readonly content: readonly ContentBlock[]
  /** Who submitted it. */
  readonly source: MessageSource
  /** Why it was blocked, in the hook's words. */
  readonly reason: string
}

/** A hook is about to run. */
export interface HookInvoked {
  readonly turn: number
  /** Where in the loop the hook is attached, for instance `PreToolUse`. */
  readonly point: string
  /** The handler, as its {@link HookResult} names it. Runs of one handler may overlap. */
  readonly handlerId: string
  /** Whose hook conventions the handler follows. */
  readonly dialect?: string
  /** What the handler was selected by, for instance the name of a tool. */
  readonly matcher?: string
}

/**
 * What a hook decided: nothing (`pass`), to allow without asking, to have a person asked, or to block. `failed` says that
 * it came to no decision.
 */
export type HookDecision = 'pass' | 'allow' | 'ask' | 'block' | 'failed'

/** How a hook ended. */
export interface HookResult {
  readonly turn: number
  readonly point: string
  readonly handlerId: string
  readonly decision: HookDecision
  /** Exit code of a handler that is a process. */
  readonly exitCode?: number
  /** The beginning of what the handler wrote to stderr, or of the error it failed with. */
  readonly stderrSummary?: string
  /** How long the handler ran, in milliseconds; fractions count. */
  readonly durationMs?: number
}

declare module '@dsh/session' {
  interface SessionEventMap {
    /** A prompt that a hook blocked: no message, and the model never sees it. Between turns, or inside one. */
    'prompt/blocked': PromptBlocked
    /** A hook of the open turn is about to run; `hook/result` answers it under the same `handlerId`. */
    'hook/invoked': HookInvoked
    /** The hook of an earlier `hook/invoked` has ended. */
    'hook/result': HookResult
  }

  interface TurnEndReasonMap {
    /** Every prompt of the turn was blocked, so that it ran no step. `reason` is that of the blocking hook. */
    rejected: { readonly kind: 'rejected'; readonly reason: string }
  }
}
