/**
 * Tokens of one model call. The counts are disjoint: `inputTokens` leaves out what was read from or written to a cache,
 * `outputTokens` leaves out `reasoningTokens`. Their sum is all that the call consumed.
 */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}
