import type { ContentBlock, MessageId, MessageSource, TokenUsage } from '@dsh/llm'
import { text, toolCall } from '../../content.js'
import { Fields } from '../../fields.js'
import { field, isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { epochTime, isoTime } from '../../time.js'
import { type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { disjointUsage } from '../../usage.js'
import { UNKNOWN } from '../chat-request.js'
import type { SessionReader } from '../reader.js'
import { readTypedBlock } from '../typed-block.js'

const pi: MessageSource = { kind: 'plugin', plugin: 'pi' }

/** An entry that a compaction can name as the first that stays. */
interface Entry {
  readonly ordinal: number
  readonly id: string | undefined
  readonly messageId: MessageId
}

/** Reads one branch of a pi session. */
export class PiReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder
  #entries: Entry[] = []
  #provider: string | undefined
  #model: string | undefined
  #effort: string | undefined

  constructor(writer: LogWriter, willAnswer: (callId: string) => boolean) {
    this.#writer = writer
    this.#turns = new TurnBuilder(writer, { willAnswer })
  }

  kind({ value }: SourceRecord): string {
    const type = textField(value, 'type') ?? 'record'
    return type === 'message' ? `message/${textField(field(value, 'message'), 'role') ?? 'unknown'}` : type
  }

  take(record: SourceRecord): void {
    const { value, ordinal } = record
    this.#writer.at(record, isoTime(field(value, 'timestamp')))
    const kind = this.kind(record)
    const fields = isRecord(value) ? new Fields(value) : undefined
    this.#entries.push({ ordinal, id: textField(value, 'id'), messageId: this.#writer.messageId() })
    if (fields === undefined || !this.#read(kind, fields)) {
      this.#writer.keep(kind)
      return
    }
    fields.spend('type', 'id', 'parentId', 'timestamp')
    this.#writer.keepRest(kind, fields)
  }

  settle(): void {
    this.#turns.end()
  }

  #read(kind: string, fields: Fields): boolean {
    if (kind.startsWith('message/')) return this.#message(kind, fields.object('message'))
    switch (kind) {
      case 'session':
        fields.spend('cwd')
        this.#provider = textField(fields.record, 'provider')
        this.#model = textField(fields.record, 'modelId')
        this.#effort = textField(fields.record, 'thinkingLevel')
        this.#request()
        return true
      case 'model_change':
        this.#provider = textField(fields.record, 'provider') ?? this.#provider
        this.#model = textField(fields.record, 'modelId') ?? this.#model
        this.#request()
        // Kept, since a change that no answer follows says nothing in the header.
        return false
      case 'thinking_level_change':
        this.#effort = textField(fields.record, 'thinkingLevel')
        this.#request()
        return false
      case 'compaction':
        return this.#compaction(fields)
      case 'branch_summary':
        return this.#inject(fields, 'summary', pi)
      case 'custom_message':
        return this.#inject(fields, 'content', customSource(fields))
      default:
        return false
    }
  }

  #message(kind: string, message: Fields | undefined): boolean {
    if (message === undefined) return false
    message.spend('role', 'timestamp')
    switch (kind) {
      case 'message/user':
        return this.#user(message)
      case 'message/assistant':
        this.#assistant(message)
        return true
      case 'message/toolResult':
        return this.#result(message)
      case 'message/bashExecution':
        return this.#bash(message)
      case 'message/branchSummary':
      case 'message/compactionSummary':
        return this.#inject(message, 'summary', pi)
      case 'message/custom':
      case 'message/hookMessage':
        return this.#inject(message, 'content', customSource(message))
      default:
        return false
    }
  }

  #user(message: Fields): boolean {
    const blocks = this.#content(message)
    if (blocks.length === 0) return false
    this.#turns.prompt(blocks, this.#stamp())
    return true
  }

  #assistant(message: Fields): void {
    const reason = message.spendKnown('stopReason', knownStops).peek('stopReason')
    const stop = reason === 'length' ? 'max-tokens' : reason === 'aborted' || reason === 'error' ? reason : undefined
    const provider = message.text('provider') || this.#provider || UNKNOWN
    const model = message.text('model') || this.#model || UNKNOWN
    const startedAt = epochTime(message.peek('timestamp'))
    this.#turns.answer(
      { content: this.#content(message), provider, model, usage: readUsage(message), stop, startedAt },
      this.#stamp(),
    )
    const said = stop === 'aborted' || stop === 'error' ? message.text('errorMessage') : undefined
    if (stop === 'error') this.#turns.endTurn({ kind: 'error', message: said ?? 'unknown error' })
    if (stop === 'aborted') {
      this.#turns.endTurn({ kind: 'aborted' })
      if (said !== undefined) this.#writer.note('aborted', said)
    }
  }

  #result(message: Fields): boolean {
    const callId = message.text('toolCallId')
    if (callId === undefined || callId === '') return false
    message.spend('toolName')
    const isError = message.flag('isError') === true ? true : undefined
    const meta = message.take('details')
    this.#turns.result({ callId, content: this.#content(message), isError, meta }, this.#stamp())
    return true
  }

  /** A command that the person ran; the model sees it unless it is told to be left out. */
  #bash(message: Fields): boolean {
    const [command, output = ''] = [textField(message.record, 'command'), textField(message.record, 'output')]
    if (command === undefined || message.peek('excludeFromContext') === true) return false
    message.spend('command', 'output')
    const shown = `Ran \`${command}\`\n${output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``}`
    this.#turns.inject([text(shown)], this.#stamp(), pi)
    return true
  }

  #inject(fields: Fields, key: string, source: MessageSource): boolean {
    const blocks = this.#content(fields, key)
    if (blocks.length === 0) return false
    this.#turns.inject(blocks, this.#stamp(), source)
    return true
  }

  #compaction(fields: Fields): boolean {
    const summary = fields.text('summary')
    if (summary === undefined || summary.trim() === '') return false
    const keepFrom = this.#firstKept(fields.text('firstKeptEntryId'), fields.number('firstKeptEntryIndex'))
    this.#turns.compact({ content: [text(summary)], stamp: this.#stamp(), source: pi, keepFrom })
    return true
  }

  /** The first message from the named entry on; version 1 counts entries from the header, which is 0. */
  #firstKept(id: string | undefined, index: number | undefined): MessageId | undefined {
    const at = this.#entries.findIndex(entry => (id === undefined ? entry.ordinal === index : entry.id === id))
    if (at < 0) return undefined
    this.#entries = this.#entries.slice(at)
    return this.#entries.find(({ messageId }) => this.#writer.surfaceSeq(messageId) !== undefined)?.messageId
  }

  #request(): void {
    const effort = this.#effort === undefined ? {} : { reasoningEffort: this.#effort }
    const [provider, model] = [this.#provider, this.#model]
    if (provider && model) this.#turns.request({ config: { provider, model, ...effort } })
  }

  #content(fields: Fields, key = 'content'): ContentBlock[] {
    const whole = fields.text(key)
    if (whole !== undefined) return [text(whole)]
    return (fields.objects(key) ?? []).flatMap(
      (block, index) => readBlock(block, this.#writer.messageId(`call-${index}`)) ?? [],
    )
  }

  #stamp(): Stamp {
    return { id: this.#writer.messageId(), time: this.#writer.time }
  }
}

const knownStops: ReadonlySet<unknown> = new Set(['stop', 'toolUse', 'length', 'aborted', 'error'])

function readBlock(block: Fields, id: string): ContentBlock | undefined {
  return readTypedBlock(block, () =>
    block.peek('type') === 'toolCall'
      ? toolCall(block.text('id') || id, block.text('name'), block.take('arguments'))
      : undefined,
  )
}

function customSource(fields: Fields): MessageSource {
  return { kind: 'plugin', plugin: fields.text('customType') || 'pi' }
}

function readUsage(message: Fields): TokenUsage | undefined {
  const usage = message.object('usage')
  if (usage === undefined) return undefined
  const [input, output] = [usage.count('input'), usage.count('output')]
  const [cacheRead, cacheWrite] = [usage.count('cacheRead'), usage.count('cacheWrite')]
  usage.sum('totalTokens', input, output, cacheRead, cacheWrite)
  return disjointUsage({ input, output, cacheRead, cacheWrite })
}
