import { type TokenUsage, totalTokens } from '@dsh/llm'

/** A whole number with its thousands apart. */
export function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number of things: `1 event`, `2 events`. */
export function amount(value: number, thing: string): string {
  return `${number(value)} ${value === 1 ? thing : `${thing}s`}`
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size in bytes, short. */
export function bytes(value: number): string {
  let unit = 0
  let size = value
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000
    unit++
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

/** Tokens in words: what went in, what came out, and of the caches what there is. */
export function tokens(usage: TokenUsage): string {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = usage
  const parts = [`${number(inputTokens)} in`]
  if (cacheReadTokens) parts.push(`${number(cacheReadTokens)} cached`)
  if (cacheWriteTokens) parts.push(`${number(cacheWriteTokens)} to cache`)
  parts.push(`${number(outputTokens)} out`)
  if (reasoningTokens) parts.push(`${number(reasoningTokens)} reasoning`)
  return parts.join(', ')
}

/** Whether a usage counts anything. */
export function isUsed(usage: TokenUsage): boolean {
  return totalTokens(usage) > 0
}
