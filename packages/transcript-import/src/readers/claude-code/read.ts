import type { ContentBlock, MessageSource, TokenUsage } from '@dsh/llm'
import { text } from '../../content.js'
import { Fields } from '../../fields.js'
import { field, isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { isoTime } from '../../time.js'
import type { Answer } from '../../turn/answer.js'
import { type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { disjointUsage } from '../../usage.js'
import { isCut, readBlock, readContent, readResult } from '../anthropic/blocks.js'
import type { SessionReader } from '../reader.js'

/** How a sub-agent came to be. */
export interface Delegation {
  /** The call that asked for it, where that is known. */
  readonly callId?: string
}

/** What the first reading tells the second. */
export interface ClaudeContext {
  /** Present when the session is that of a sub-agent. */
  readonly delegation: Delegation | undefined
  /** Ordinal of the last line of an API message. */
  lastLine(messageId: string): number
  willAnswer(callId: string): boolean
  /** Whether the record repeats the id of an earlier one. */
  isRepeated(ordinal: number): boolean
}

const tool: MessageSource = { kind: 'plugin', plugin: 'claude-code' }
const interruption = /^\[Request interrupted by user/
/** What Claude Code writes in the person's name: the output of local commands. */
const localOutput = /^\s*<(?:local-command-|bash-stdout|bash-stderr)/

/** A slash command that a person gave without saying anything with it; what stands there is the tool's. */
const bareCommand = /^\s*<command-(?:name|message)>(?![\s\S]*<command-args>\s*[^\s<])/

/** An API message of which not all lines have been read. */
interface Draft {
  readonly id: string
  readonly stampId: Stamp['id']
  readonly content: ContentBlock[]
  answer: Omit<Answer, 'content'>
  time: number
}

/** Reads the records of one conversation of a Claude Code file. */
export class ClaudeReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #context: ClaudeContext
  readonly #turns: TurnBuilder
  #draft: Draft | undefined
  #hasBegun = false

  constructor(writer: LogWriter, context: ClaudeContext) {
    this.#writer = writer
    this.#context = context
    this.#turns = new TurnBuilder(writer, { willAnswer: callId => context.willAnswer(callId) })
  }

  kind({ value }: SourceRecord): string {
    const type = textField(value, 'type') ?? 'record'
    const detail = textField(value, 'subtype') ?? textField(field(value, 'data'), 'type')
    return detail === undefined ? type : `${type}/${detail}`
  }

  take(record: SourceRecord): void {
    const { value, ordinal } = record
    this.#writer.at(
      record,
      isoTime(field(field(field(value, 'data'), 'message'), 'timestamp')) ?? isoTime(field(value, 'timestamp')),
    )
    this.#begin()
    if (!isRecord(value) || this.#context.isRepeated(ordinal)) {
      this.#writer.keep(this.kind(record))
      return
    }
    const fields = new Fields(value)
    // An agent's message is wrapped in a record of the session that called it.
    const inner = (value.type === 'progress' ? fields.object('data')?.object('message') : undefined) ?? fields
    if (this.#read(inner, ordinal)) {
      for (const part of [fields, inner]) part.spend('type', 'uuid', 'parentUuid', 'isSidechain')
      // An answer has the time of its last line; those before keep theirs.
      if (this.#draft === undefined) for (const part of [fields, inner]) part.spend('timestamp')
      this.#writer.keepRest(this.kind(record), fields)
    } else this.#writer.keep(this.kind(record))
  }

  settle(): void {
    this.#commit()
    this.#turns.end()
  }

  #begin(): void {
    const { delegation } = this.#context
    if (this.#hasBegun || delegation === undefined) return
    this.#hasBegun = true
    const { callId } = delegation
    if (callId !== undefined) this.#writer.note('delegation', `Delegated by the call ${callId}.`, { callId })
  }

  /** Whether the record became events; if not, it is to be kept whole. */
  #read(fields: Fields, ordinal: number): boolean {
    const message = fields.object('message')
    if (message === undefined) return false
    if (fields.peek('type') === 'assistant') return this.#assistant(fields, message, ordinal)
    return fields.peek('type') === 'user' && this.#user(fields, message)
  }

  #assistant(fields: Fields, message: Fields, ordinal: number): boolean {
    const id = textField(message.record, 'id') ?? ''
    if (this.#draft !== undefined && this.#draft.id !== id) this.#commit()
    if (fields.peek('isApiErrorMessage') === true) return this.#apiError(message)
    message.spend('role', 'type')
    const blocks = readContent(message, 'content')
    const answer = {
      provider: 'anthropic',
      model: message.text('model') || 'unknown',
      usage: readUsage(message),
      stop: isCut(message) ? ('max-tokens' as const) : undefined,
    }
    const { time } = this.#writer
    this.#draft ??= this.#begun(id, answer)
    this.#draft.content.push(...blocks)
    this.#draft.answer = answer
    this.#draft.time = time
    if (id === '' || ordinal >= this.#context.lastLine(id)) this.#commit()
    return true
  }

  #begun(id: string, answer: Omit<Answer, 'content'>): Draft {
    this.#turns.draft()
    return { id, stampId: this.#writer.messageId(), content: [], answer, time: this.#writer.time }
  }

  #commit(): void {
    const draft = this.#draft
    if (draft === undefined) return
    this.#draft = undefined
    this.#turns.commit({ ...draft.answer, content: draft.content }, { id: draft.stampId, time: draft.time })
  }

  /** A failed request, which Claude Code shows as an answer. The model never sees it. */
  #apiError(message: Fields): boolean {
    const shown = readContent(message, 'content').flatMap(block => (block.type === 'text' ? [block.text] : []))
    this.#turns.endTurn({ kind: 'error', message: shown.join('\n') || 'API error' })
    return false
  }

  #user(fields: Fields, message: Fields): boolean {
    const isSummary = fields.peek('isCompactSummary') === true
    if (fields.peek('isVisibleInTranscriptOnly') === true && !isSummary) return false
    message.spend('role')
    const list = message.objects('content') ?? []
    const rest = this.#results(fields, list)
    const whole = message.text('content')
    const blocks = whole === undefined ? rest : [text(whole)]
    if (blocks.length === 0) return list.some(block => block.peek('type') === 'tool_result')
    const stamp = this.#stamp()
    if (isSummary) this.#turns.compact({ content: blocks, stamp, source: tool })
    else this.#say(fields, blocks, { stamp, isBesideResults: rest.length < list.length })
    return true
  }

  /** Writes the results among the blocks and gives the others. */
  #results(fields: Fields, blocks: readonly Fields[]): ContentBlock[] {
    const results = blocks.filter(block => block.peek('type') === 'tool_result')
    for (const [part, block] of results.entries()) {
      const result = readResult(block)
      if (result === undefined) continue
      const meta = results.length === 1 ? fields.spend('sourceToolAssistantUUID').take('toolUseResult') : undefined
      this.#turns.result({ ...result, meta }, this.#stamp(part))
    }
    return blocks.flatMap((block, index) => readBlock(block, `block-${index}`) ?? [])
  }

  #say(fields: Fields, blocks: readonly ContentBlock[], how: { stamp: Stamp; isBesideResults: boolean }): void {
    const { stamp, isBesideResults } = how
    const [first] = blocks
    const said = first?.type === 'text' ? first.text : ''
    if (interruption.test(said)) {
      this.#turns.inject(blocks, stamp, tool)
      this.#turns.endTurn({ kind: 'aborted' })
      this.#writer.note('aborted', said)
    } else if (fields.flag('isMeta') === true || localOutput.test(said)) this.#turns.inject(blocks, stamp, tool)
    else if (isBesideResults) this.#turns.steer(blocks, stamp, this.#source())
    else this.#turns.prompt(blocks, stamp, bareCommand.test(said) ? tool : this.#source())
  }

  /** Nobody types what a sub-agent is told. */
  #source(): MessageSource {
    return this.#context.delegation === undefined ? { kind: 'user' } : tool
  }

  #stamp(part?: number): Stamp {
    return { id: this.#writer.messageId(part === 0 ? undefined : part), time: this.#writer.time }
  }
}

function readUsage(message: Fields): TokenUsage | undefined {
  const usage = message.object('usage')
  if (usage === undefined) return undefined
  return disjointUsage({
    input: usage.count('input_tokens'),
    output: usage.count('output_tokens'),
    cacheRead: usage.count('cache_read_input_tokens'),
    cacheWrite: usage.count('cache_creation_input_tokens'),
  })
}
