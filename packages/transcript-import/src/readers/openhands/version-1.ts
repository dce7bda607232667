import type { ContentBlock } from '@dsh/llm'
import { imageFromUrl, reasoning, text, toolCall } from '../../content.js'
import type { Fields } from '../../fields.js'
import { isRecord, textField } from '../../json-value.js'
import { readTools, toolSchema } from '../chat-request.js'
import { readCalls } from '../openai/content.js'
import { leftOut, type OpenHandsEvent } from './events.js'

/** An event of version 1. */
export function readVersion1(kind: string, fields: Fields): OpenHandsEvent | undefined {
  switch (kind) {
    case 'SystemPromptEvent':
      return readSystem(fields)
    case 'MessageEvent':
      return readMessage(fields)
    case 'ActionEvent':
      return readAction(fields)
    case 'ObservationEvent':
      return readObservation(fields)
    case 'AgentErrorEvent':
      return readFailure(fields, 'error')
    case 'UserRejectObservation':
      return readFailure(fields, 'rejection_reason')
    case 'PauseEvent':
      return { type: 'end', ending: { kind: 'aborted' } }
    case 'ConversationErrorEvent':
      return { type: 'end', ending: { kind: 'error', message: textField(fields.record, 'detail') ?? 'error' } }
    case 'Condensation':
      return readCondensation(fields)
    default:
      return undefined
  }
}

function readSystem(fields: Fields): OpenHandsEvent | undefined {
  const prompt = fields.object('system_prompt')
  const said = prompt?.text('text')
  if (said !== undefined) prompt?.spend('type')
  const tools = readTools(fields, 'tools', item =>
    isRecord(item) && item.type === 'function' ? toolSchema(item.function, 'parameters') : undefined,
  )
  fields.spend('source')
  return said === undefined && tools === undefined ? undefined : { type: 'system', text: said, tools }
}

function readMessage(fields: Fields): OpenHandsEvent | undefined {
  const message = fields.object('llm_message')
  if (message === undefined) return undefined
  const role = message.text('role')
  const content = [...readReasoning(message), ...readContent(message, 'content'), ...readCalls(message, 'call')]
  if (content.length === 0) return undefined
  if (role === 'assistant') return answer(content, false)
  return { type: textField(fields.record, 'source') === 'user' ? 'prompt' : 'context', content }
}

function readAction(fields: Fields): OpenHandsEvent | undefined {
  fields.spend('source')
  const said = [...readReasoning(fields), ...readContent(fields, 'thought')]
  const action = fields.object('action')
  // The model never sees the call that ends its work again: the tool itself turns it into text.
  if (action?.peek('kind') === 'FinishAction') {
    const message = action.text('message')
    return answer([...said, ...(message ? [text(message)] : [])], true)
  }
  const call = fields.object('tool_call')
  const made = call?.object('function') ?? call
  const id = fields.text('tool_call_id') || call?.text('id')
  if (id === undefined || id === '') return undefined
  call?.spend('id', 'type', 'origin')
  const name = fields.text('tool_name') || made?.text('name')
  if (made?.peek('name') === name) made?.spend('name')
  return answer([...said, toolCall(id, name, made?.take('arguments') ?? action?.peek('data'))], false)
}

function answer(content: readonly ContentBlock[], isLast: boolean): OpenHandsEvent {
  return { type: 'answer', content, model: undefined, usage: undefined, isLast }
}

function readObservation(fields: Fields): OpenHandsEvent | undefined {
  const callId = fields.text('tool_call_id')
  const observation = fields.object('observation')
  if (callId === undefined || callId === '' || observation === undefined) return undefined
  fields.spend('source', 'tool_name')
  const isError = observation.flag('is_error') === true ? true : undefined
  const content = readContent(observation, 'content')
  const output = content.length === 0 ? observation.text('output') : undefined
  const shown = output === undefined ? content : [text(output)]
  return { type: 'result', callId, content: shown, isError, meta: undefined }
}

function readFailure(fields: Fields, key: string): OpenHandsEvent | undefined {
  const callId = fields.text('tool_call_id')
  if (callId === undefined || callId === '') return undefined
  fields.spend('source', 'tool_name')
  return { type: 'result', callId, content: [text(fields.text(key) ?? '')], isError: true, meta: undefined }
}

function readCondensation(fields: Fields): OpenHandsEvent | undefined {
  const ids = fields.peek('forgotten_event_ids')
  if (!Array.isArray(ids) || ids.length === 0) return undefined
  const forgotten = ids.filter(id => typeof id === 'number' || typeof id === 'string')
  const summary = fields.text('summary')
  return { type: 'condensation', forgotten, content: [text(summary?.trim() ? summary : leftOut(forgotten.length))] }
}

function readReasoning(fields: Fields): ContentBlock[] {
  const said = fields.text('reasoning_content')
  return said ? [reasoning(said)] : []
}

function readContent(fields: Fields, key: string): ContentBlock[] {
  const whole = fields.text(key)
  if (whole !== undefined) return whole === '' ? [] : [text(whole)]
  return (fields.objects(key) ?? []).flatMap(part => {
    const said = part.peek('type') === 'text' ? part.text('text') : undefined
    if (said !== undefined) {
      part.spend('type')
      return said === '' ? [] : [text(said)]
    }
    const urls = part.peek('image_urls')
    if (part.peek('type') !== 'image' || !Array.isArray(urls) || !urls.every(url => typeof url === 'string')) return []
    part.spend('type', 'image_urls')
    return urls.map(url => imageFromUrl(url))
  })
}
