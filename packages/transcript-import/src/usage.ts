import type { TokenUsage } from '@dsh/llm'

/** Token counts of a model call, as a source gives them. Those that it does not give are undefined. */
export interface SourceUsage {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly reasoning?: number | undefined
  /** Whether the input count includes what was read from a cache. */
  readonly inputHasCacheRead?: boolean
  /** Whether the input count includes what was written to a cache. */
  readonly inputHasCacheWrite?: boolean
  /** Whether the output count includes the reasoning. */
  readonly outputHasReasoning?: boolean
}

/** The counts made disjoint, as the log wants them; undefined where the source gives none. */
export function disjointUsage(source: SourceUsage): TokenUsage | undefined {
  const { input, output, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens, reasoning: reasoningTokens } = source
  const counts = [input, output, cacheReadTokens, cacheWriteTokens, reasoningTokens]
  if (counts.every(count => count === undefined)) return undefined
  const cached =
    (source.inputHasCacheRead ? (cacheReadTokens ?? 0) : 0) + (source.inputHasCacheWrite ? (cacheWriteTokens ?? 0) : 0)
  const thought = source.outputHasReasoning ? (reasoningTokens ?? 0) : 0
  return {
    inputTokens: Math.max(0, (input ?? 0) - cached),
    outputTokens: Math.max(0, (output ?? 0) - thought),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}
