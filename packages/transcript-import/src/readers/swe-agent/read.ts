import type { MessageSource } from '@dsh/llm'
import { Fields } from '../../fields.js'
import { isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { type Ending, type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { requestHeader, routeOf } from '../chat-request.js'
import { readCalls, readParts, readSaid } from '../openai/content.js'
import type { ReaderOptions, SessionReader } from '../reader.js'

const environment: MessageSource = { kind: 'plugin', plugin: 'swe-agent' }

/**
 * Reads a SWE-agent trajectory: one turn, which the task statement opens. The history is what the model saw; the
 * trajectory says it again with what the environment was like, and is kept.
 */
export class SweAgentReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder
  readonly #options: ReaderOptions
  readonly #exitStatus: string | undefined
  #hasSystem = false
  #lastCall: string | undefined

  constructor(
    writer: LogWriter,
    options: ReaderOptions,
    willAnswer: (callId: string) => boolean,
    exitStatus: string | undefined,
  ) {
    this.#writer = writer
    this.#options = options
    this.#exitStatus = exitStatus
    this.#turns = new TurnBuilder(writer, { willAnswer })
  }

  kind({ value, list }: SourceRecord): string {
    if (list === undefined) return 'document'
    return list === 'trajectory' ? 'trajectory' : (textField(value, 'role') ?? 'message')
  }

  take(record: SourceRecord): void {
    this.#writer.at(record, undefined)
    const kind = this.kind(record)
    const fields = isRecord(record.value) ? new Fields(record.value) : undefined
    if (fields === undefined || !this.#read(kind, fields)) this.#writer.keep(kind)
    else this.#writer.keepRest(kind, fields.spend('role'))
  }

  settle(): void {
    this.#turns.end(this.#ending())
  }

  #read(kind: string, fields: Fields): boolean {
    switch (kind) {
      case 'system':
        return this.#system(fields)
      case 'user':
        return this.#user(fields)
      case 'assistant':
        this.#assistant(fields)
        return true
      case 'tool':
        return this.#result(fields)
      default:
        return false
    }
  }

  #system(fields: Fields): boolean {
    const texts = readSaid(fields, 'content').flatMap(block => (block.type === 'text' ? [block.text] : []))
    if (this.#hasSystem || texts.length === 0) return false
    this.#hasSystem = true
    this.#turns.request(requestHeader({ ...routeOf(this.#options), system: texts.join('\n\n') })!)
    return true
  }

  /** The task, or what the environment answered to a command that was no tool call. */
  #user(fields: Fields): boolean {
    const blocks = readSaid(fields, 'content')
    if (blocks.length === 0) return false
    const isTask = !this.#turns.hasAnswered && fields.peek('is_demo') !== true
    if (isTask) this.#turns.prompt(blocks, this.#stamp())
    else this.#turns.inject(blocks, this.#stamp(), environment)
    return true
  }

  #assistant(fields: Fields): void {
    const content = [...readSaid(fields, 'content'), ...readCalls(fields, this.#writer.messageId())]
    // Both are parts of what the model said.
    for (const key of ['thought', 'action']) if (isSaid(fields, key)) fields.spend(key)
    this.#lastCall = content.findLast(block => block.type === 'tool-call')?.name
    this.#turns.answer({ ...routeOf(this.#options), content }, this.#stamp())
  }

  #result(fields: Fields): boolean {
    const ids = fields.peek('tool_call_ids')
    const callId = fields.text('tool_call_id') ?? (Array.isArray(ids) ? ids[0] : undefined)
    if (typeof callId !== 'string' || callId === '') return false
    if (Array.isArray(ids) && ids.length === 1) fields.spend('tool_call_ids')
    this.#turns.result({ callId, content: readParts(fields, 'content') }, this.#stamp())
    return true
  }

  #ending(): Ending | undefined {
    const status = this.#exitStatus
    if (status === undefined || status === '') return this.#lastCall === 'submit' ? { kind: 'completed' } : undefined
    return /^submitted/i.test(status) ? { kind: 'completed' } : { kind: 'error', message: status }
  }

  #stamp(): Stamp {
    return { id: this.#writer.messageId(), time: this.#writer.time }
  }
}

function isSaid(fields: Fields, key: string): boolean {
  const [said, part] = [textField(fields.record, 'content'), textField(fields.record, key)]
  return said !== undefined && part !== undefined && said.includes(part.trim())
}
