import type { ContentBlock } from '@dsh/llm'
import { Fields } from '../../fields.js'
import { isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { disjointUsage } from '../../usage.js'
import { readSettings, readTools, requestHeader, routeOf, toolSchema } from '../chat-request.js'
import type { ReaderOptions, SessionReader } from '../reader.js'
import { isCut, readBlock, readContent, readResult } from './blocks.js'

/** Reads a message list of the Anthropic API, and what a request holds beside it. */
export class AnthropicReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder
  readonly #options: ReaderOptions
  #model: string | undefined

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
    if (!isRecord(record.value)) {
      this.#writer.keep('record')
      return
    }
    const fields = new Fields(record.value)
    switch (kind) {
      case 'user':
        this.#user(fields)
        break
      case 'assistant':
        this.#assistant(fields)
        break
      case 'request':
        this.#request(fields)
        break
      default:
        this.#writer.keep(kind)
        return
    }
    this.#writer.keepRest(kind, fields.spend('role'))
  }

  settle(): void {
    this.#turns.end()
  }

  #user(fields: Fields): void {
    const list = fields.objects('content') ?? []
    let results = 0
    for (const [index, block] of list.entries()) {
      if (block.peek('type') !== 'tool_result') continue
      const result = readResult(block)
      if (result !== undefined) this.#turns.result(result, this.#stamp(index))
      results++
    }
    const blocks = readContent(fields, 'content')
    if (blocks.length === 0) return
    if (results > 0) this.#turns.steer(blocks, this.#stamp())
    else this.#turns.prompt(blocks, this.#stamp())
  }

  #assistant(fields: Fields): void {
    const content: ContentBlock[] = readContent(fields, 'content')
    const usage = fields.object('usage')
    const route = routeOf(this.#options, { provider: 'anthropic', model: fields.text('model') ?? this.#model })
    this.#turns.answer(
      {
        ...route,
        content,
        usage:
          usage &&
          disjointUsage({
            input: usage.count('input_tokens'),
            output: usage.count('output_tokens'),
            cacheRead: usage.count('cache_read_input_tokens'),
            cacheWrite: usage.count('cache_creation_input_tokens'),
          }),
        stop: isCut(fields) ? 'max-tokens' : undefined,
      },
      this.#stamp(),
    )
  }

  #request(fields: Fields): void {
    this.#model = fields.text('model') ?? this.#model
    const header = requestHeader({
      ...routeOf(this.#options, { provider: 'anthropic', model: this.#model }),
      system: fields.text('system') ?? this.#systemBlocks(fields),
      tools: readTools(fields, 'tools', item => toolSchema(item, 'input_schema')),
      ...readSettings(fields),
    })
    // Without a header only answers tell the model.
    if (header === undefined) fields.giveBack('model')
    else this.#turns.request(header)
  }

  #systemBlocks(fields: Fields): string | undefined {
    const blocks = fields.objects('system')?.map((block, index) => readBlock(block, `system-${index}`))
    const texts = blocks?.flatMap(block => (block?.type === 'text' ? [block.text] : []))
    return texts === undefined || texts.length === 0 ? undefined : texts.join('\n\n')
  }

  #stamp(part?: number): Stamp {
    return { id: this.#writer.messageId(part), time: this.#writer.time }
  }
}
