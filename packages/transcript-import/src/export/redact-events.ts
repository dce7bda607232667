import type { ContentBlock, JsonValue, StreamChunk } from '@dsh/llm'
import type { SessionEvent, SessionView } from '@dsh/session'
import { field, isRecord, type JsonRecord } from '../json-value.js'
import { redactHeader } from './provider-parts.js'
import type { RedactionPoint, Redactor } from './redact.js'

/** A run of deltas as one text, and what has become of it. */
interface Stream {
  text: string
  redacted: string | undefined
}

/**
 * Events as they may leave. What was streamed is shown to the hook as a whole, since a secret does not end where a delta
 * does; a stream that the hook changes leaves in its first delta, and the others stay empty.
 */
export class RedactedEvents {
  readonly #redactor: Redactor
  readonly #streams = new Map<string, Stream>()

  constructor(view: SessionView, redactor: Redactor) {
    this.#redactor = redactor
    for (const event of view) {
      const delta = deltaOf(event)
      if (delta === undefined) continue
      const stream = this.#streams.get(delta.key)
      if (stream === undefined) this.#streams.set(delta.key, { text: delta.text, redacted: undefined })
      else stream.text += delta.text
    }
  }

  redact(event: SessionEvent): SessionEvent {
    return { ...event, data: this.#data(event) } as SessionEvent
  }

  #data(event: SessionEvent): unknown {
    const { seq } = event
    switch (event.type) {
      case 'user/message':
        return this.#redactor.message(event.data, seq)
      case 'steering/message':
      case 'assistant/message':
        return { ...event.data, message: this.#redactor.message(event.data.message, seq) }
      case 'tool/result': {
        const { message, meta, ...others } = event.data
        const kept = meta === undefined ? {} : { meta: this.#redactor.value(meta, { kind: 'result', seq }) }
        return { ...others, message: this.#redactor.message(message, seq), ...kept }
      }
      case 'tool/call':
        return { ...event.data, arguments: this.#redactor.json(event.data.arguments, { kind: 'arguments', seq }) }
      case 'assistant/chunk':
        return { ...event.data, chunk: this.#chunk(event) }
      case 'request/header':
        return { ...event.data, header: redactHeader(event.data.header, this.#redactor) }
      case 'turn/start':
        return this.#strings(event.data, seq, triggerKeys)
      case 'todo/write':
        return this.#strings(event.data, seq, todoKeys)
      case 'step/start':
      case 'step/end':
      case 'request/context':
        return event.data
      case 'turn/end':
        return this.#strings(event.data, seq, turnKeys)
      case 'import/record':
        return { ...event.data, record: this.#redactor.value(event.data.record, { kind: 'free', seq }) }
      case 'import/damaged':
      case 'import/note':
        return this.#strings(event.data, seq, noteKeys)
      default:
        return this.#redactor.value((event as { data: JsonValue }).data, { kind: 'free', seq })
    }
  }

  #chunk(event: SessionEvent<'assistant/chunk'>): StreamChunk {
    const { chunk } = event.data
    const delta = deltaOf(event)
    if (delta !== undefined) return { ...chunk, [delta.field]: this.#delta(delta, event.seq) } as StreamChunk
    if (chunk.type === 'block-end') {
      const [block] = this.#redactor.content([chunk.block], 'answer', event.seq)
      return { ...chunk, block: block as ContentBlock }
    }
    if (chunk.type !== 'finish') return chunk
    return this.#strings(chunk, event.seq, turnKeys) as StreamChunk
  }

  #delta({ key, text, kind }: Delta, seq: number): string {
    const stream = this.#streams.get(key)
    if (stream === undefined) return text
    if (stream.redacted === undefined) {
      const isArguments = kind === 'arguments'
      const point: RedactionPoint = { kind, seq }
      stream.redacted = isArguments ? this.#redactor.json(stream.text, point) : this.#redactor.text(stream.text, point)
      if (stream.redacted !== stream.text) return stream.redacted
    }
    return stream.redacted === stream.text ? text : ''
  }

  /** The strings of a payload, except under keys that structure it. */
  #strings(value: unknown, seq: number, structural: ReadonlySet<string>): unknown {
    if (typeof value === 'string') return this.#redactor.text(value, { kind: 'free', seq })
    if (Array.isArray(value)) return value.map(item => this.#strings(item, seq, structural))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        structural.has(key) ? item : this.#strings(item, seq, structural),
      ]),
    )
  }
}

const turnKeys: ReadonlySet<string> = new Set(['type', 'kind', 'code', 'requestId'])
const triggerKeys: ReadonlySet<string> = new Set(['kind', 'plugin', 'provider', 'model', 'callId'])
const todoKeys: ReadonlySet<string> = new Set(['status'])
const noteKeys: ReadonlySet<string> = new Set(['format', 'path', 'about', 'reason'])

interface Delta {
  /** Tells the streams of a log apart. */
  readonly key: string
  readonly field: 'text' | 'argumentsDelta'
  readonly text: string
  readonly kind: RedactionPoint['kind']
}

function deltaOf(event: SessionEvent): Delta | undefined {
  if (event.type !== 'assistant/chunk' || !isRecord(event.data as unknown)) return undefined
  const { turn, step, chunk } = event.data as unknown as JsonRecord
  const type = field(chunk, 'type')
  const name = type === 'tool-call-delta' ? 'argumentsDelta' : 'text'
  const text = field(chunk, name)
  if (typeof type !== 'string' || !type.endsWith('-delta') || typeof text !== 'string') return undefined
  const kind = type === 'text-delta' ? 'answer' : type === 'reasoning-delta' ? 'reasoning' : 'arguments'
  const key = JSON.stringify([turn, step, field(chunk, 'index'), type, field(chunk, 'id')])
  return { key, field: name, text, kind }
}
