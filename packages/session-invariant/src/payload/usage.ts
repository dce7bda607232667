import { count, exactly, type Shape } from './shape.js'

/** Token counts of one model call. */
export const usage: Shape = exactly(
  { inputTokens: count, outputTokens: count },
  { cacheReadTokens: count, cacheWriteTokens: count, reasoningTokens: count },
)
