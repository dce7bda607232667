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

const optionalCounts = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const

/**
 * The sum of two usages, frozen. A count that neither has stays absent; one that is not a number, as a log written
 * elsewhere may hold, counts as 0.
 */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  const sum: { -readonly [K in keyof TokenUsage]: TokenUsage[K] } = {
    inputTokens: count(a.inputTokens) + count(b.inputTokens),
    outputTokens: count(a.outputTokens) + count(b.outputTokens),
  }
  for (const key of optionalCounts) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = count(a[key]) + count(b[key])
  }
  return Object.freeze(sum)
}

/** All tokens that a call consumed: the sum of the disjoint counts. */
export function totalTokens(usage: TokenUsage): number {
  return optionalCounts.reduce(
    (sum, key) => sum + count(usage[key]),
    count(usage.inputTokens) + count(usage.outputTokens),
  )
}

function count(tokens: number | undefined): number {
  return typeof tokens === 'number' ? tokens : 0
}
