import type { ContentBlock, JsonValue, Message, MessageSource } from '@dsh/llm'

/** What a piece of text is that leaves a session. */
export interface RedactionPoint {
  /** `prompt` stands for every user-role message, `free` for payloads whose shape nobody here knows. */
  readonly kind: 'system' | 'prompt' | 'answer' | 'reasoning' | 'arguments' | 'result' | 'tool' | 'path' | 'free'
  /** Sequence number of the event that holds it, where there is one. */
  readonly seq?: number
}

/** Gives the text that may leave in the place of `text`. */
export type Redact = (text: string, point: RedactionPoint) => string

/** What tells sources apart. */
const routing: ReadonlySet<string> = new Set(['kind', 'plugin', 'provider', 'model', 'callId'])

/** Applies a hook to everything that holds text. Without a hook everything stays the same object. */
export class Redactor {
  readonly #redact: Redact | undefined

  constructor(redact: Redact | undefined) {
    this.#redact = redact
  }

  /** Whether there is anything to apply. */
  get isActive(): boolean {
    return this.#redact !== undefined
  }

  text(text: string, point: RedactionPoint): string {
    return this.#redact === undefined ? text : this.#redact(text, point)
  }

  /** JSON text: its strings are shown to the hook as they read, not as they are escaped. */
  json(text: string, point: RedactionPoint): string {
    if (this.#redact === undefined) return text
    try {
      const value: JsonValue = JSON.parse(text)
      const redacted = this.value(value, point)
      const isSame = JSON.stringify(redacted) === JSON.stringify(value)
      return isSame ? text : JSON.stringify(redacted)
    } catch {
      return this.text(text, point)
    }
  }

  /** Every string of a value, keys included. */
  value<T extends JsonValue>(value: T, point: RedactionPoint): T {
    return (this.#redact === undefined ? value : this.#any(value, point)) as T
  }

  /** A message's content; calls keep their ids and names. */
  content(content: readonly ContentBlock[], kind: RedactionPoint['kind'], seq?: number): readonly ContentBlock[] {
    return this.#redact === undefined ? content : content.map(block => this.#block(block, kind, seq))
  }

  message<T extends Message>(message: T, seq?: number): T {
    if (this.#redact === undefined) return message
    const kind = message.role === 'assistant' ? 'answer' : 'prompt'
    const point: RedactionPoint = { kind: 'free', ...(seq !== undefined && { seq }) }
    const { source, envelope } = message
    return {
      ...message,
      source: this.source(source, point),
      content: this.content(message.content, kind, seq),
      ...(envelope !== undefined && { envelope: this.value({ ...envelope }, point) }),
    }
  }

  /** A source: what says where a message came from stays, what a plugin or an adapter has put there is shown. */
  source(source: MessageSource, point: RedactionPoint): MessageSource {
    const fields = Object.entries(source as unknown as { [key: string]: JsonValue })
    return Object.fromEntries(
      fields.map(([key, value]) => [key, routing.has(key) ? value : this.value(value, point)]),
    ) as unknown as MessageSource
  }

  #block(block: ContentBlock, kind: RedactionPoint['kind'], seq: number | undefined): ContentBlock {
    const at = seq === undefined ? {} : { seq }
    switch (block.type) {
      case 'text':
        return { ...block, text: this.text(block.text, { kind, ...at }) }
      case 'reasoning':
        return { ...block, text: this.text(block.text, { kind: 'reasoning', ...at }) }
      case 'tool-call':
        return { ...block, arguments: this.json(block.arguments, { kind: 'arguments', ...at }) }
      case 'tool-result':
        return { ...block, content: this.content(block.content, 'result', seq) }
      case 'image':
        return 'ref' in block ? { ...block, ref: this.text(block.ref, { kind, ...at }) } : block
      default: {
        const { type, ...fields } = block as unknown as { type: string; [key: string]: JsonValue }
        return { ...this.value(fields, { kind: 'free', ...at }), type } as unknown as ContentBlock
      }
    }
  }

  #any(value: JsonValue, point: RedactionPoint): JsonValue {
    if (typeof value === 'string') return this.text(value, point)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(item => this.#any(item, point))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.text(key, point), this.#any(item, point)]),
    )
  }
}
