import type { JsonValue } from '@dsh/llm'
import { field, isRecord, textField } from '../../json-value.js'

/**
 * Whether the log takes an event of that type with that payload: what the core checks of events from outside, asked
 * beforehand, so that one that it refuses can be kept in another form.
 */
export function isAcceptable(type: string, data: JsonValue): boolean {
  switch (type) {
    case 'user/message':
      return isMessage(data, 'user')
    case 'steering/message':
      return isMessage(field(data, 'message'), 'user')
    case 'assistant/message':
      return isAnswer(field(data, 'message'))
    case 'tool/result':
      return isToolResult(field(data, 'message'))
    case 'request/header':
      return isHeader(data)
    default:
      return isEventType(type)
  }
}

/** Whether a tag is that of an event: with a slash inside, and not one of the removed types. */
export function isEventType(type: string): boolean {
  return type.indexOf('/') > 0 && !type.endsWith('/') && type !== 'request/header-delta'
}

/** Whether a value is a list of content blocks. */
export function isContent(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value) && value.every(isBlock)
}

function isMessage(value: JsonValue | undefined, role: string): boolean {
  return (
    hasText(value, 'id') &&
    field(value, 'role') === role &&
    hasText(field(value, 'source'), 'kind') &&
    isContent(field(value, 'content'))
  )
}

function isAnswer(message: JsonValue | undefined): boolean {
  const source = field(message, 'source')
  return (
    isMessage(message, 'assistant') &&
    field(source, 'kind') === 'model' &&
    hasText(source, 'provider') &&
    hasText(source, 'model')
  )
}

function isToolResult(message: JsonValue | undefined): boolean {
  const source = field(message, 'source')
  const content = field(message, 'content')
  if (!isMessage(message, 'user') || field(source, 'kind') !== 'tool' || !Array.isArray(content)) return false
  const [block, ...more] = content
  if (more.length > 0 || field(block, 'type') !== 'tool-result' || !hasText(source, 'callId')) return false
  return field(block, 'toolCallId') === field(source, 'callId')
}

function isHeader(data: JsonValue): boolean {
  const header = field(data, 'header')
  const [config, system, tools] = [field(header, 'config'), field(header, 'system'), field(header, 'tools')]
  const reason = field(data, 'reason')
  if (!hasText(config, 'provider') || !hasText(config, 'model')) return false
  if (system !== undefined && typeof system !== 'string') return false
  if (tools !== undefined && !Array.isArray(tools)) return false
  return reason === 'initial' || reason === 'resume' || reason === 'change'
}

function isBlock(block: JsonValue): boolean {
  if (!isRecord(block)) return false
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return typeof block.text === 'string'
    case 'tool-call':
      return hasText(block, 'id') && hasText(block, 'name') && typeof block.arguments === 'string'
    case 'tool-result':
      return hasText(block, 'toolCallId') && isContent(block.content)
    default:
      return hasText(block, 'type')
  }
}

function hasText(value: JsonValue | undefined, key: string): boolean {
  return Boolean(textField(value, key))
}
