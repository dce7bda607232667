import type { JsonValue, MessageId } from '@dsh/llm'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { AdaptedEvent, SourceEvent } from '../event-log/source-event.js'
import { adaptEarly, type Route } from './early.js'
import { withImages } from './images.js'

/** What the events before say about the next one. */
export interface AdaptContext {
  /** Id of a message that has none. */
  readonly id: MessageId
  readonly route: Route
  /** The step that is open, or the last one of the turn. */
  readonly lastStep: number
  /** What started the turn that begins, where the event does not say. */
  readonly trigger: JsonValue
}

/** Makes an event of a version 0 log one of today. Events that neither document knows stay as they are. */
export function adaptEvent({ type, data }: SourceEvent, context: AdaptContext): AdaptedEvent {
  const adapted = withImages(adaptEarly(type, data, context.id, context.route) ?? adaptCurrent(type, data, context))
  return isRecord(adapted.data) && adapted.type === 'assistant/message'
    ? { ...adapted, data: withDisjointUsage(adapted.data) }
    : adapted
}

function adaptCurrent(type: string, data: JsonValue, context: AdaptContext): AdaptedEvent {
  if (!isRecord(data)) return { type, data }
  switch (type) {
    case 'turn/start':
      return { type, data: data.trigger === undefined ? { ...data, trigger: context.trigger } : data }
    case 'turn/end':
      return adaptEnd(data, context.lastStep)
    case 'request/header':
      return adaptHeader(data)
    case 'assistant/chunk':
      return { type, data: adaptChunk(data) }
    default:
      return { type, data }
  }
}

function adaptEnd(data: JsonRecord, lastStep: number): AdaptedEvent {
  const type = 'turn/end'
  const { reason } = data
  switch (field(reason, 'kind')) {
    case 'aborted': {
      const { kind: _, ...said } = reason as JsonRecord
      if (Object.keys(said).length === 0) return { type, data }
      const text = textField(reason, 'reason') ?? textField(said.reason, 'kind') ?? 'aborted'
      return { type, data: { ...data, reason: { kind: 'aborted' } }, note: { about: 'aborted', text, details: said } }
    }
    case 'error': {
      const { error, ...others } = reason as JsonRecord
      const step = typeof others.step === 'number' ? others.step : lastStep
      if (!isRecord(error)) return { type, data: { ...data, reason: { ...others, step } } }
      const { message = 'error', code, ...left } = error
      const cause = { message, ...(code !== undefined && { code }) }
      return {
        type,
        data: { ...data, reason: { ...others, kind: 'error', step, ...cause } },
        ...(Object.keys(left).length > 0 && { left }),
      }
    }
    default:
      return { type, data }
  }
}

/** A tool list that is none, as in logs with placeholders, is left out of the header. */
function adaptHeader(data: JsonRecord): AdaptedEvent {
  const type = 'request/header'
  const { header } = data
  if (!isRecord(header) || header.tools === undefined || Array.isArray(header.tools)) return { type, data }
  const { tools, ...others } = header
  return { type, data: { ...data, header: others }, left: { header: { tools } } }
}

function adaptChunk(data: JsonRecord): JsonRecord {
  const { chunk } = data
  if (!isRecord(chunk) || chunk.type !== 'usage') return data
  return { ...data, chunk: withDisjointUsage(chunk) }
}

/** These logs count reasoning as part of the output; the log of today counts it apart. */
function withDisjointUsage(holder: JsonRecord): JsonRecord {
  const { usage } = holder
  const [output, reasoning] = [field(usage, 'outputTokens'), field(usage, 'reasoningTokens')]
  if (!isRecord(usage) || typeof output !== 'number' || typeof reasoning !== 'number') return holder
  return { ...holder, usage: { ...usage, outputTokens: Math.max(0, output - reasoning) } }
}
