import type { MessageSource, TokenUsage } from '@dsh/llm'
import { totalTokens } from '@dsh/llm'
import type { TurnEndReason, TurnTrigger } from '@dsh/session'
import type { ReadFact } from './items.js'

/** A time as people read it, in UTC; empty where there is none. */
export function clock(time: number): string {
  const date = new Date(time)
  if (time <= 0 || !Number.isFinite(date.getTime())) return ''
  return date.toISOString().slice(0, 19).replace('T', ' ')
}

/** A duration as people read it; empty where it is none. */
export function duration(from: number, to: number): string {
  const seconds = Math.round((to - from) / 1000)
  if (!(seconds > 0) || from <= 0) return ''
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** A count with its noun. */
export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A number with its thousands apart. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** The counts of a usage in words, those that there are; empty where there are none. */
export function usageWords(usage: TokenUsage): string {
  if (totalTokens(usage) === 0) return ''
  const counts = [
    ['in', usage.inputTokens],
    ['cache read', usage.cacheReadTokens],
    ['cache write', usage.cacheWriteTokens],
    ['out', usage.outputTokens],
    ['reasoning', usage.reasoningTokens],
  ] as const
  const parts = counts.flatMap(([name, count]) => (count ? `${thousands(count)} ${name}` : []))
  return `${plural(totalTokens(usage), 'token')}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}

/** The beginning of a text; no character is cut in two. */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/** Who a message is from. */
export function sourceName(source: MessageSource): string {
  switch (source.kind) {
    case 'user':
      return 'User'
    case 'plugin':
      return source.plugin
    default:
      return source.kind
  }
}

/** Why a turn ended, in words. */
export function reasonWords(reason: TurnEndReason): string {
  if (reason.kind !== 'error') return reason.kind
  return `error: ${reason.message ?? reason.failure?.message ?? 'unknown'}`
}

/** What started a turn, where it was not a person. */
export function triggerWords(trigger: TurnTrigger | undefined): string {
  if (trigger === undefined || trigger.kind === 'unrecorded') return ''
  if (trigger.kind === 'message' || trigger.kind === 'injection') {
    return trigger.source?.kind === 'user' ? '' : `started by ${sourceName(trigger.source)}`
  }
  return `started by ${trigger.kind}`
}

/** Facts without a text, counted by type. */
export function factCounts(facts: readonly ReadFact[]): string {
  const counts = new Map<string, number>()
  for (const { eventType, text } of facts) {
    if (text === undefined) counts.set(eventType, (counts.get(eventType) ?? 0) + 1)
  }
  return [...counts].map(([type, count]) => (count === 1 ? type : `${type} ×${count}`)).join(', ')
}

/** Arguments as they are best read: JSON indented, other text as it is. */
export function readableArguments(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
