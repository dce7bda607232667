import type { ContentBlock, JsonValue } from '@dsh/llm'
import { text, toolCall } from '../../content.js'
import { Fields } from '../../fields.js'
import { isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { epochTime } from '../../time.js'
import type { ToolAnswer } from '../../turn/answer.js'
import { type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { readTools, requestHeader, routeOf, toolSchema } from '../chat-request.js'
import type { ReaderOptions, SessionReader } from '../reader.js'
import { readTypedBlock } from '../typed-block.js'

/** Reads a goose session. Neither provider nor model are in it. */
export class GooseReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder
  readonly #route: { readonly provider: string; readonly model: string }

  constructor(writer: LogWriter, options: ReaderOptions, willAnswer: (callId: string) => boolean) {
    this.#writer = writer
    this.#route = routeOf(options)
    this.#turns = new TurnBuilder(writer, { willAnswer })
  }

  kind({ value }: SourceRecord): string {
    return textField(value, 'role') ?? 'metadata'
  }

  take(record: SourceRecord): void {
    const { value } = record
    this.#writer.at(record, isRecord(value) ? epochTime(value.created) : undefined)
    const kind = this.kind(record)
    const fields = isRecord(value) ? new Fields(value) : undefined
    if (fields === undefined || !this.#read(kind, fields)) this.#writer.keep(kind)
    else this.#writer.keepRest(kind, fields.spend('role', 'created'))
  }

  settle(): void {
    this.#turns.end()
  }

  #read(kind: string, fields: Fields): boolean {
    switch (kind) {
      case 'metadata':
        this.#metadata(fields)
        return true
      case 'assistant':
        this.#turns.answer({ ...this.#route, content: this.#content(fields) }, this.#stamp())
        return true
      case 'user':
        return this.#user(fields)
      default:
        return false
    }
  }

  #metadata(fields: Fields): void {
    fields.spend('working_dir')
    const tools = readTools(fields, 'tools', item => toolSchema(item, 'input_schema'))
    const header = requestHeader({ ...this.#route, tools })
    if (header !== undefined) this.#turns.request(header)
  }

  #user(fields: Fields): boolean {
    const blocks = fields.objects('content') ?? []
    const results = blocks.flatMap(block => readResult(block) ?? [])
    for (const [index, result] of results.entries()) this.#turns.result(result, this.#stamp(index))
    const content = this.#content(fields)
    if (content.length === 0) return results.length > 0
    if (results.length > 0) this.#turns.steer(content, this.#stamp())
    else this.#turns.prompt(content, this.#stamp())
    return true
  }

  #content(fields: Fields): ContentBlock[] {
    return (fields.objects('content') ?? []).flatMap(
      (block, index) => readBlock(block, this.#writer.messageId(`call-${index}`)) ?? [],
    )
  }

  #stamp(part?: number): Stamp {
    return { id: this.#writer.messageId(part), time: this.#writer.time }
  }
}

function readBlock(block: Fields, id: string): ContentBlock | undefined {
  return readTypedBlock(block, () => readCall(block, id))
}

function readCall(block: Fields, id: string): ContentBlock | undefined {
  if (block.peek('type') !== 'toolRequest') return undefined
  const call = block.object('toolCall')?.spend('status')
  const value = call?.object('value') ?? call
  // Without a value the model's call could not be parsed; the error stays in the rest.
  return toolCall(block.text('id') || id, value?.text('name'), value?.take('arguments'))
}

function readResult(block: Fields): ToolAnswer | undefined {
  const callId = block.peek('type') === 'toolResponse' ? block.text('id') : undefined
  if (callId === undefined) return undefined
  block.spend('type')
  const result = block.object('toolResult')
  if (result === undefined) return { callId, content: [] }
  const isFailed = result.text('status') === 'error'
  const key = isFailed ? 'error' : 'value'
  const value = result.object(key)
  const items = value?.objects('content') ?? result.objects(key)
  const content = items?.map(shownBlock) ?? shownValue(result.take(key))
  return { callId, content, isError: isFailed || value?.flag('isError') === true ? true : undefined }
}

function shownBlock(item: Fields, index: number): ContentBlock {
  return readBlock(item, `result-${index}`) ?? text(JSON.stringify(item.spend(...Object.keys(item.record)).record))
}

function shownValue(value: JsonValue | undefined): ContentBlock[] {
  return value === undefined ? [] : [text(typeof value === 'string' ? value : JSON.stringify(value))]
}
