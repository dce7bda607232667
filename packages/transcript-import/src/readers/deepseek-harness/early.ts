import type { JsonValue, MessageId } from '@dsh/llm'
import { Fields } from '../../fields.js'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import { isContent } from '../event-log/acceptable.js'
import type { AdaptedEvent } from '../event-log/source-event.js'

/** The route of answers that do not tell theirs. */
export interface Route {
  readonly provider: string
  readonly model: string
}

/**
 * The messages of the early document, which lie in their events without identity: made into messages of today. Undefined
 * where the payload has today's form.
 * @param id of the message that is made
 * @param route the one in force
 */
export function adaptEarly(type: string, data: JsonValue, id: MessageId, route: Route): AdaptedEvent | undefined {
  if (!isRecord(data) || !isContent(data.content)) return undefined
  switch (type) {
    case 'user/message':
      return 'role' in data ? undefined : userMessage(data, id)
    case 'context/message':
      return wrapped(data, id, 'context')
    case 'steering/message':
      return 'message' in data ? undefined : wrapped(data, id, 'steering')
    case 'assistant/message':
      return 'message' in data ? undefined : answer(data, id, route)
    case 'tool/result':
      return 'message' in data ? undefined : result(data, id)
    default:
      return undefined
  }
}

function userMessage({ content, source, ...left }: JsonRecord, id: MessageId): AdaptedEvent {
  const known = textField(source, 'kind') ? source! : { kind: 'user' }
  const data = { id, role: 'user', source: known, content: content! }
  return { type: 'user/message', data, ...leftOf(known === source ? left : { ...left, source }) }
}

/**
 * Context and steering were shown to the model in an envelope, `<context source="…">…</context>`. The envelope becomes part
 * of the content, so that the model sees what it saw, and the source one that is no person's.
 * @param plugin names the source where it was a person, or where there was none
 */
function wrapped({ content, source, ...left }: JsonRecord, id: MessageId, plugin: string): AdaptedEvent {
  const kind = textField(source, 'kind')
  const known = kind === undefined || kind === '' || kind === 'user' ? { kind: 'plugin', plugin } : source!
  const label = textField(source, 'plugin') ?? kind ?? plugin
  const message = { id, role: 'user', source: known, content: envelope(content as readonly JsonValue[], label) }
  // What the event says beside its message: the person who steered, the turn.
  return { type: 'user/message', data: message, ...leftOf(known === source ? left : { ...left, source }) }
}

function envelope(content: readonly JsonValue[], label: string): JsonValue[] {
  const open = `<context source="${label.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}">`
  const close = '</context>'
  const blocks = [...content]
  const [first, last] = [textOf(blocks[0]), textOf(blocks.at(-1))]
  const again = (block: JsonValue | undefined, text: string): JsonValue => ({ ...(block as JsonRecord), text })
  if (first !== undefined && blocks.length === 1) return [again(blocks[0], open + first + close)]
  if (first === undefined) blocks.unshift({ type: 'text', text: open })
  else blocks[0] = again(blocks[0], open + first)
  if (last === undefined || content.length === 0) blocks.push({ type: 'text', text: close })
  else blocks[blocks.length - 1] = again(blocks.at(-1), last + close)
  return blocks
}

function answer(
  { content, provenance, turn, step, usage, ...left }: JsonRecord,
  id: MessageId,
  route: Route,
): AdaptedEvent {
  const from = new Fields(isRecord(provenance) ? provenance : {})
  const source = {
    kind: 'model',
    provider: from.text('provider') || route.provider,
    model: from.text('model') || route.model,
  }
  const message = { id, role: 'assistant', source, content: content! }
  const data = { ...defined({ turn, step }), message, ...(usage !== undefined && { usage }) }
  return { type: 'assistant/message', data, ...leftOf({ ...left, provenance: from.rest() }) }
}

function result(
  { callId, content, isError, turn, step, error, meta, ...left }: JsonRecord,
  id: MessageId,
): AdaptedEvent {
  const block = {
    type: 'tool-result',
    toolCallId: callId ?? '',
    content: content!,
    ...(isError === true && { isError }),
  }
  const message = { id, role: 'user', source: { kind: 'tool', callId: callId ?? '' }, content: [block] }
  const data = {
    ...defined({ turn, step }),
    message,
    ...(error !== undefined && { error }),
    ...(meta !== undefined && { meta }),
  }
  return { type: 'tool/result', data, ...leftOf(left) }
}

function defined(fields: { readonly [key: string]: JsonValue | undefined }): JsonRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonRecord
}

function leftOf(fields: { readonly [key: string]: JsonValue | undefined }): { left?: JsonRecord } {
  const left = defined(fields)
  return Object.keys(left).length === 0 ? {} : { left }
}

function textOf(block: JsonValue | undefined): string | undefined {
  return field(block, 'type') === 'text' ? textField(block, 'text') : undefined
}
