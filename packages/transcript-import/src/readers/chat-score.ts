import type { JsonValue } from '@dsh/llm'
import { field, isRecord, type JsonRecord } from '../json-value.js'

const openaiRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'tool', 'function'])
const openaiParts: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'refusal', 'file'])
const anthropicBlocks: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'server_tool_use',
])

/**
 * How many of the values are messages of a chat API; 0 when one of them belongs to the other API. A list that fits both
 * counts one more for OpenAI, whose form most other APIs share.
 */
export function scoreMessages(values: readonly JsonValue[], api: 'openai' | 'anthropic'): number {
  const messages = values.filter(isMessage)
  const isOpenAi = messages.some(hasOpenAiMarks)
  const isAnthropic = messages.some(hasAnthropicMarks)
  if (messages.length === 0 || (api === 'openai' ? isAnthropic && !isOpenAi : isOpenAi)) return 0
  return messages.length + (api === 'openai' ? 1 : 0)
}

function isMessage(value: JsonValue): value is JsonRecord {
  if (!isRecord(value) || typeof value.role !== 'string' || 'type' in value) return false
  const { content } = value
  if (content === null || content === undefined) return 'tool_calls' in value || 'function_call' in value
  return typeof content === 'string' || (Array.isArray(content) && content.every(isRecord))
}

function hasOpenAiMarks(message: JsonRecord): boolean {
  if (openaiRoles.has(message.role) || 'tool_calls' in message || 'function_call' in message) return true
  return hasPart(message, openaiParts)
}

function hasAnthropicMarks(message: JsonRecord): boolean {
  return hasPart(message, anthropicBlocks)
}

function hasPart({ content }: JsonRecord, types: ReadonlySet<unknown>): boolean {
  return Array.isArray(content) && content.some(part => types.has(field(part, 'type')))
}
