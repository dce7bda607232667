import type { FinishReason, TokenUsage } from '@dsh/llm'
import type { LanguageModelUsage, FinishReason as SdkReason } from 'ai'
import { failure } from './failure.ts'

/** Why an answer ended. One that ended without a reason has broken off. */
export function finishReason(reason: SdkReason, raw: string | undefined): FinishReason {
  switch (reason) {
    case 'stop':
    case 'tool-calls':
      return { kind: reason }
    case 'length':
      return { kind: 'max-tokens' }
    case 'content-filter':
      return { kind: 'error', failure: failure('CONTENT_FILTERED', 'The provider withheld the answer.') }
    case 'error':
      return { kind: 'error', failure: failure('PROVIDER_ERROR', 'The provider gave the answer up.') }
    default:
      if (raw !== undefined) return { kind: 'stop' }
      return { kind: 'error', failure: failure('CONNECTION_FAILED', 'The answer broke off.') }
  }
}

/** Tokens as disjoint counts; undefined where the provider reported none. */
export function tokenUsage(usage: LanguageModelUsage): TokenUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails
  const { reasoningTokens } = outputTokenDetails
  return {
    inputTokens: count(inputTokenDetails.noCacheTokens ?? less(inputTokens, cacheReadTokens, cacheWriteTokens)),
    outputTokens: count(outputTokenDetails.textTokens ?? less(outputTokens, reasoningTokens)),
    ...(cacheReadTokens !== undefined && { cacheReadTokens: count(cacheReadTokens) }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens: count(cacheWriteTokens) }),
    ...(reasoningTokens !== undefined && { reasoningTokens: count(reasoningTokens) }),
  }
}

function less(total = 0, ...parts: readonly (number | undefined)[]): number {
  return parts.reduce<number>((rest, part = 0) => rest - part, total)
}

/** Providers report what they like; a count is a whole number from 0. */
function count(tokens: number): number {
  return Number.isFinite(tokens) ? Math.max(0, Math.round(tokens)) : 0
}
