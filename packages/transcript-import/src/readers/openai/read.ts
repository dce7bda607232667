import type { MessageSource } from '@dsh/llm'
import { toolCall } from '../../content.js'
import { Fields } from '../../fields.js'
import { isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { type RequestParts, readSettings, readTools, requestHeader, routeOf, toolSchema } from '../chat-request.js'
import type { ReaderOptions, SessionReader } from '../reader.js'
import { readCalls, readParts, readReasoning, readSaid } from './content.js'

/** Reads a message list of the OpenAI chat API, and what a request holds beside it. */
export class OpenAiReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder
  readonly #options: ReaderOptions
  /** Ids given to the calls of the API's first form, which has none. */
  readonly #functionCalls = new Map<string, string>()
  #request: RequestParts = {}
  #hasBegun = false

  constructor(writer: LogWriter, options: ReaderOptions, willAnswer: (callId: string) => boolean) {
    this.#writer = writer
    this.#options = options
    this.#turns = new TurnBuilder(writer, { willAnswer })
  }

  kind({ value }: SourceRecord): string {
    return textField(value, 'role') ?? 'request'
  }

  take(record: SourceRecord): void {
    this.#writer.at(record, undefined)
    const kind = this.kind(record)
    const fields = isRecord(record.value) ? new Fields(record.value) : undefined
    if (fields === undefined || !this.#read(kind, fields)) this.#writer.keep(kind)
    else this.#writer.keepRest(kind, fields.spend('role'))
    if (kind !== 'request') this.#hasBegun = true
  }

  settle(): void {
    this.#turns.end()
  }

  #read(role: string, fields: Fields): boolean {
    switch (role) {
      case 'request':
        this.#settings(fields)
        return true
      case 'system':
      case 'developer':
        return this.#system(role, fields)
      case 'user':
        return this.#user(fields, { kind: 'user' })
      case 'assistant':
        this.#assistant(fields)
        return true
      case 'tool':
        return this.#result(fields, fields.text('tool_call_id'))
      case 'function':
        return this.#result(fields, this.#functionCalls.get(fields.text('name') ?? ''))
      default:
        return false
    }
  }

  #settings(fields: Fields): void {
    const model = fields.text('model')
    const tools = readTools(fields, 'tools', item =>
      isRecord(item) && item.type === 'function' ? toolSchema(item.function, 'parameters') : undefined,
    )
    const parts = { model, tools, reasoningEffort: fields.text('reasoning_effort'), ...readSettings(fields) }
    // Without a header only answers tell the model.
    if (!this.#header(parts)) fields.giveBack('model')
  }

  /** The first message is the system prompt; one further down was put in between. */
  #system(role: string, fields: Fields): boolean {
    if (this.#hasBegun) return this.#user(fields, { kind: 'plugin', plugin: role })
    const texts = readSaid(fields, 'content').flatMap(block => (block.type === 'text' ? [block.text] : []))
    if (texts.length === 0) return false
    this.#header({ system: texts.join('\n\n') })
    return true
  }

  /** Whether the parts make a header. */
  #header(parts: RequestParts): boolean {
    this.#request = { ...this.#request, ...parts }
    const header = requestHeader({ ...this.#request, ...routeOf(this.#options, this.#request) })
    if (header !== undefined) this.#turns.request(header)
    return header !== undefined
  }

  #user(fields: Fields, source: MessageSource): boolean {
    const blocks = readSaid(fields, 'content')
    if (blocks.length === 0) return false
    if (source.kind === 'user') this.#turns.prompt(blocks, this.#stamp(), source)
    else this.#turns.inject(blocks, this.#stamp(), source)
    return true
  }

  #assistant(fields: Fields): void {
    const id = this.#writer.messageId()
    const content = [
      ...readReasoning(fields),
      ...readSaid(fields, 'content'),
      ...readCalls(fields, id),
      ...this.#functionCall(fields, id),
    ]
    const route = routeOf(this.#options, { model: fields.text('model') ?? this.#request.model })
    this.#turns.answer({ ...route, content }, this.#stamp())
  }

  #functionCall(fields: Fields, id: string) {
    const call = fields.object('function_call')
    const name = call?.text('name')
    if (call === undefined || name === undefined) return []
    this.#functionCalls.set(name, id)
    return [toolCall(id, name, call.take('arguments'))]
  }

  #result(fields: Fields, callId: string | undefined): boolean {
    if (callId === undefined || callId === '') return false
    const isError = fields.flag('is_error')
    this.#turns.result({ callId, content: readParts(fields, 'content'), isError }, this.#stamp())
    return true
  }

  #stamp(): Stamp {
    return { id: this.#writer.messageId(), time: this.#writer.time }
  }
}
