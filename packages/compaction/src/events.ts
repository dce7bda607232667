import type { ContentBlock, TokenUsage } from '@dsh/llm'

/** The surface nodes that a compaction is about, by the seqs of the first and the last one, inclusive. */
export interface CompactedRange {
  readonly start: number
  readonly end: number
}

/** How a compaction ended. Unless it is `replaced`, the surface is as it was. */
export type CompactionOutcome =
  /** `seq` is that of the message that took the range's place. */
  | { readonly kind: 'replaced'; readonly seq: number }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly message: string }

declare module '@dsh/session' {
  interface SessionEventMap {
    /** A compaction of a range of the surface begins. One without an end was interrupted, and changed nothing. */
    'compact/start': CompactedRange
    /** The summary that a model made of the range; `usage` is that of this call, and counts in the session's totals. */
    'compact/summary': CompactedRange & { readonly summary: readonly ContentBlock[]; readonly usage?: TokenUsage }
    /** The compaction is over. */
    'compact/end': CompactedRange & { readonly outcome: CompactionOutcome }
  }
}
