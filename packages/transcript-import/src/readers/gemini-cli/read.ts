import type { ContentBlock, JsonValue } from '@dsh/llm'
import { reasoning, text, toolCall } from '../../content.js'
import { Fields } from '../../fields.js'
import { field, isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { isoTime } from '../../time.js'
import { TurnBuilder } from '../../turn/turn-builder.js'
import { disjointUsage } from '../../usage.js'
import type { SessionReader } from '../reader.js'

/** Reads a Gemini CLI chat. Calls stand with their results in the message that makes them. */
export class GeminiReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder

  constructor(writer: LogWriter) {
    this.#writer = writer
    // The message that makes the calls answers them.
    this.#turns = new TurnBuilder(writer)
  }

  kind({ value, list }: SourceRecord): string {
    return list === undefined ? 'chat' : (textField(value, 'type') ?? 'message')
  }

  take(record: SourceRecord): void {
    const { value } = record
    this.#writer.at(record, isoTime(field(value, 'timestamp')) ?? isoTime(field(value, 'startTime')))
    const kind = this.kind(record)
    const fields = isRecord(value) ? new Fields(value) : undefined
    if (fields === undefined || !this.#read(kind, fields)) {
      this.#writer.keep(kind)
      return
    }
    fields.spend('type', 'timestamp', 'startTime')
    this.#writer.keepRest(kind, fields)
  }

  settle(): void {
    this.#turns.end()
  }

  #read(kind: string, fields: Fields): boolean {
    switch (kind) {
      case 'chat':
        fields.spend('sessionId')
        return true
      case 'user':
        return this.#user(fields)
      case 'gemini':
        this.#answer(fields)
        return true
      default:
        // What the terminal showed beside the conversation; the model saw none of it.
        return false
    }
  }

  #user(fields: Fields): boolean {
    const blocks = readContent(fields)
    if (blocks.length === 0) return false
    this.#turns.prompt(blocks, { id: this.#writer.messageId(), time: this.#writer.time })
    return true
  }

  #answer(fields: Fields): void {
    const { time } = this.#writer
    const calls = fields.objects('toolCalls') ?? []
    const ids = calls.map((call, index) => call.text('id') || this.#writer.messageId(`call-${index}`))
    const content = [
      ...readThoughts(fields),
      ...readContent(fields).filter(block => block.type !== 'text' || block.text !== ''),
      ...calls.map((call, index) => toolCall(ids[index]!, call.text('name'), call.take('args'))),
    ]
    const usage = readTokens(fields)
    const model = fields.text('model') || 'unknown'
    this.#turns.answer({ content, provider: 'google', model, usage }, { id: this.#writer.messageId(), time })
    for (const [index, call] of calls.entries()) this.#result(ids[index]!, call, index)
  }

  #result(callId: string, call: Fields, index: number): void {
    const parts = call.peek('result')
    if (!Array.isArray(parts) || parts.length === 0) return
    call.take('result')
    const status = call.text('status')
    const meta = takeMeta(call)
    this.#turns.result(
      {
        callId,
        content: parts.map(responseBlock),
        isError: status === 'error' || status === 'cancelled' ? true : undefined,
        meta,
      },
      { id: this.#writer.messageId(index), time: isoTime(call.text('timestamp')) ?? this.#writer.time },
    )
  }
}

/** What the terminal shows of a call, in the result's place for it. */
function takeMeta(call: Fields): JsonValue | undefined {
  const shown = ['resultDisplay', 'displayName', 'description', 'renderOutputAsMarkdown'].flatMap(key => {
    const value = call.take(key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}

function readThoughts(fields: Fields): ContentBlock[] {
  const thoughts = fields.objects('thoughts') ?? []
  return thoughts.map(thought => {
    const parts = [thought.text('subject'), thought.text('description')].filter(
      part => part !== undefined && part !== '',
    )
    return reasoning(parts.join('\n\n'))
  })
}

function readContent(fields: Fields): ContentBlock[] {
  const whole = fields.text('content')
  if (whole !== undefined) return [text(whole)]
  return (fields.objects('content') ?? []).flatMap(part => {
    const value = part.text('text')
    return value === undefined ? [] : [text(value)]
  })
}

/** What the model got: the output of a function response, or as much of the part as says more than that. */
function responseBlock(part: JsonValue): ContentBlock {
  const call = field(part, 'functionResponse')
  const response = field(call, 'response')
  const isWhole = response !== undefined && hasOnly(part, 'functionResponse') && hasOnly(call, 'id', 'name', 'response')
  const output = hasOnly(response, 'output') ? field(response, 'output') : undefined
  const error = hasOnly(response, 'error') ? field(response, 'error') : undefined
  const shown = isWhole ? (output ?? error ?? response) : part
  return text(typeof shown === 'string' ? shown : JSON.stringify(shown))
}

function hasOnly(value: JsonValue | undefined, ...keys: readonly string[]): boolean {
  return isRecord(value) && Object.keys(value).every(key => keys.includes(key))
}

/** The counts are those of the API: input with the cached part, output without the thoughts. */
function readTokens(fields: Fields) {
  const tokens = fields.object('tokens')
  if (tokens === undefined) return undefined
  const [input, tool] = [tokens.count('input'), tokens.count('tool')]
  return disjointUsage({
    input: input === undefined ? undefined : input + (tool ?? 0),
    output: tokens.count('output'),
    cacheRead: tokens.count('cached'),
    reasoning: tokens.count('thoughts'),
    inputHasCacheRead: true,
  })
}
