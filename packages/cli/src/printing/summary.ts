import type { SessionEvent } from '@dsh/session'
import { amount, bytes } from '../format/number.js'
import { field, listField, textField } from '../reading/payload.js'

/** Characters that are looked at, where a text may be megabytes long and one line is all there is. */
const MOST = 400

/** What an event says, as one line. Whatever its payload holds. */
export function summarise(event: SessionEvent): string {
  const { data } = event
  switch (event.type as string) {
    case 'turn/start':
      return [`turn ${textField(data, 'turn')}`, describeTrigger(field(data, 'trigger'))].join(' ').trimEnd()
    case 'turn/end':
      return `turn ${textField(data, 'turn')} ${describeReason(field(data, 'reason'))}`
    case 'step/start':
    case 'step/end':
      return `turn ${textField(data, 'turn')} step ${textField(data, 'step')}`
    case 'user/message':
      return summariseMessage(data)
    case 'steering/message':
    case 'assistant/message':
      return summariseMessage(field(data, 'message'))
    case 'tool/result':
      return summariseContent(listField(data, 'message', 'content'))
    case 'tool/call':
      return `${textField(data, 'name')} ${short(textField(data, 'arguments'))}`
    case 'assistant/chunk':
      return summariseChunk(field(data, 'chunk'))
    case 'todo/write':
      return summariseTodos(listField(data, 'todos'))
    case 'request/header': {
      const tools = amount(listField(data, 'header', 'tools').length, 'tool')
      return `${textField(data, 'reason')}: ${describeRoute(field(data, 'header', 'config'))}, ${tools}`
    }
    case 'request/context':
      return `${describeRoute(data)}, ${textField(data, 'contextWindow')} tokens`
    default:
      return short(JSON.stringify(data))
  }
}

/** What started a turn. */
export function describeTrigger(trigger: unknown): string {
  const kind = textField(trigger, 'kind')
  const plugin = textField(trigger, 'source', 'plugin')
  return plugin === '' ? kind : `${kind} by ${plugin}`
}

/** Why a turn ended. */
export function describeReason(reason: unknown): string {
  const kind = textField(reason, 'kind')
  const message = textField(reason, 'message') || textField(reason, 'failure', 'message')
  return message === '' ? kind : `${kind}: ${short(message)}`
}

/** A provider's model. */
export function describeRoute(route: unknown): string {
  return `${textField(route, 'provider')}/${textField(route, 'model')}`
}

/** Who a message comes from, where that is not plain from its role. */
export function describeSource(source: unknown): string {
  switch (field(source, 'kind')) {
    case 'model':
      return describeRoute(source)
    case 'plugin':
      return textField(source, 'plugin')
    case 'user':
      return ''
    default:
      return textField(source, 'kind')
  }
}

/** What a message says, as one line. */
export function summariseMessage(message: unknown): string {
  const plugin = textField(message, 'source', 'plugin')
  const content = summariseContent(listField(message, 'content'))
  return plugin === '' ? content : `[${plugin}] ${content}`
}

function summariseContent(content: readonly unknown[]): string {
  return short(content.map(summariseBlock).join(' '))
}

function summariseBlock(block: unknown): string {
  const type = textField(block, 'type')
  switch (type) {
    case 'text':
      return short(textField(block, 'text'))
    case 'reasoning':
      return `(${short(textField(block, 'text'))})`
    case 'tool-call':
      return `→ ${textField(block, 'name')}`
    case 'tool-result':
      return `${field(block, 'isError') === true ? 'error' : 'ok'}: ${summariseContent(listField(block, 'content'))}`
    case 'image':
      return describeImage(block)
    default:
      return `[${type}]`
  }
}

/** An image in words. */
export function describeImage(block: unknown): string {
  const data = field(block, 'data')
  const place = typeof data === 'string' ? bytes(Math.floor((data.length * 3) / 4)) : textField(block, 'ref')
  return `[${textField(block, 'mediaType')} ${place}]`
}

function summariseChunk(chunk: unknown): string {
  const type = textField(chunk, 'type')
  const rest =
    textField(chunk, 'text') ||
    textField(chunk, 'argumentsDelta') ||
    textField(chunk, 'blockType') ||
    textField(chunk, 'block', 'type') ||
    textField(chunk, 'reason', 'kind')
  return type === 'usage' ? `usage ${textField(chunk, 'usage')}` : `${type} ${short(rest)}`.trimEnd()
}

function summariseTodos(todos: readonly unknown[]): string {
  const done = todos.filter(todo => field(todo, 'status') === 'completed').length
  const current = todos.find(todo => field(todo, 'status') === 'in_progress')
  const doing = current === undefined ? '' : `, doing: ${short(textField(current, 'content'))}`
  return `${done} of ${todos.length} done${doing}`
}

/** A text as one line: space as one space each, and no more of it than a line could show. */
function short(text: string): string {
  const cut = text.length > MOST ? `${text.slice(0, MOST)}…` : text
  return cut.replace(/\s+/g, ' ').trim()
}
