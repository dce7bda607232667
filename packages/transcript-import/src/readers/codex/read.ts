import type { ContentBlock, MessageSource, TokenUsage } from '@dsh/llm'
import { text } from '../../content.js'
import { Fields } from '../../fields.js'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { isoTime } from '../../time.js'
import { type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { UNKNOWN } from '../chat-request.js'
import type { SessionReader } from '../reader.js'
import { type CodexItem, codexSource, readItem } from './items.js'
import { readUsage, readWindow } from './usage.js'

/** The response that is being read. */
interface Draft {
  readonly stamp: Stamp
  readonly content: ContentBlock[]
  /** Whether a result has come, so that the next piece belongs to another response. */
  hasResults: boolean
}

/**
 * Reads a Codex rollout. The history is in its response items; its events say the same again for the terminal and are
 * kept, except for those that end turns and count tokens.
 */
export class CodexReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder
  readonly #isSubagent: boolean
  #draft: Draft | undefined
  #hasMeta = false
  #provider = 'openai'
  #model: string | undefined
  #effort: string | undefined
  #instructions: string | undefined
  #contextWindow: number | undefined

  constructor(writer: LogWriter, willAnswer: (callId: string) => boolean, isSubagent: boolean) {
    this.#writer = writer
    this.#isSubagent = isSubagent
    this.#turns = new TurnBuilder(writer, { willAnswer })
  }

  kind({ value }: SourceRecord): string {
    const type = textField(value, 'type') ?? textField(value, 'record_type') ?? 'session'
    const detail = textField(field(value, 'payload'), 'type')
    return detail === undefined ? type : `${type}/${detail}`
  }

  take(record: SourceRecord): void {
    const { value } = record
    this.#writer.at(record, isoTime(field(value, 'timestamp')))
    const kind = this.kind(record)
    const fields = isRecord(value) ? new Fields(value) : undefined
    if (fields === undefined || !this.#read(fields)) {
      this.#writer.keep(kind)
      return
    }
    fields.spend('type', 'timestamp', 'ordinal')
    fields.object('payload')?.spend('type', 'id')
    this.#writer.keepRest(kind, fields)
  }

  settle(): void {
    this.#commit()
    this.#turns.end()
  }

  #read(fields: Fields): boolean {
    const payload = fields.object('payload')
    switch (fields.peek('type')) {
      case 'session_meta':
        return payload !== undefined && this.#meta(payload)
      case 'turn_context':
        return payload !== undefined && this.#turnContext(payload)
      case 'response_item':
        return payload !== undefined && this.#item(payload)
      case 'event_msg':
        return payload !== undefined && this.#event(payload)
      case 'compacted':
        return payload !== undefined && this.#compacted(payload)
      case undefined:
        return fields.peek('record_type') === undefined && this.#meta(fields)
      default:
        // The first form of the file has items without anything around them.
        return payload === undefined && this.#item(fields.spend('id'))
    }
  }

  /** The first one tells of the session; others are those of sessions whose history was copied, and of later runs. */
  #meta(meta: Fields): boolean {
    if (this.#hasMeta) return false
    this.#hasMeta = true
    this.#provider = textField(meta.record, 'model_provider') || this.#provider
    this.#instructions = meta.object('base_instructions')?.text('text') ?? meta.text('instructions')
    meta.spend('id', 'session_id', 'timestamp')
    this.#request()
    return true
  }

  #turnContext(context: Fields): boolean {
    // Left in the record, since a change that no answer follows says nothing in the header.
    this.#model = textField(context.record, 'model') ?? this.#model
    this.#effort = textField(context.record, 'effort') ?? this.#effort
    this.#request()
    return true
  }

  #item(item: Fields): boolean {
    const read = readItem(item, this.#writer.messageId('call'))
    if (read === undefined) return false
    this.#write(read)
    return true
  }

  #write(item: CodexItem): void {
    switch (item.type) {
      case 'user':
        this.#commit()
        if (item.isInjected) this.#turns.inject(item.content, this.#stamp(), codexSource)
        else this.#turns.prompt(item.content, this.#stamp(), this.#source())
        return
      case 'piece':
        if (this.#draft?.hasResults) this.#commit()
        this.#drafted().content.push(...item.content)
        return
      case 'result':
        if (this.#draft !== undefined) this.#draft.hasResults = true
        this.#turns.result(item, this.#stamp())
    }
  }

  #event(event: Fields): boolean {
    switch (event.peek('type')) {
      case 'task_started':
        this.#contextWindow = readWindow(event) ?? this.#contextWindow
        this.#request()
        return true
      case 'task_complete':
        return this.#complete(event)
      case 'turn_aborted':
        return this.#aborted(event)
      case 'token_count':
        return this.#tokens(event)
      default:
        return false
    }
  }

  #complete(event: Fields): boolean {
    this.#commit()
    const { isTurnOpen } = this.#turns
    const message = textField(field(event.record, 'error'), 'message')
    this.#turns.endTurn(message === undefined ? { kind: 'completed' } : { kind: 'error', message })
    return isTurnOpen
  }

  #aborted(event: Fields): boolean {
    this.#commit()
    const { isTurnOpen } = this.#turns
    this.#turns.endTurn({ kind: 'aborted' })
    const reason = event.text('reason')
    if (reason !== undefined) this.#writer.note('aborted', reason)
    return isTurnOpen
  }

  /** Comes behind a response, mostly before the next; a count that no response has called for only repeats one. */
  #tokens(event: Fields): boolean {
    const usage = event.object('info')?.object('last_token_usage')
    if (usage === undefined || this.#draft === undefined) return false
    this.#commit(readUsage(usage))
    return true
  }

  #compacted(payload: Fields): boolean {
    this.#commit()
    const items = (payload.objects('replacement_history') ?? []).flatMap((item, index) => {
      const read = readItem(item, this.#writer.messageId(`call-${index}`))
      if (read === undefined || read.content.length === 0) return []
      item.spend('type', 'id')
      return [read]
    })
    const summary = textField(payload.record, 'message') ?? ''
    if (items.length === 0) items.push({ type: 'user', content: [text(summary)], isInjected: true })
    // Mostly the history ends in it.
    if (items.some(({ content }) => content.some(block => block.type === 'text' && block.text.includes(summary)))) {
      payload.spend('message')
    }
    for (const [index, { content, ...item }] of items.entries()) {
      const stamp = this.#stamp(index)
      const source = item.type === 'user' && !item.isInjected ? this.#source() : codexSource
      if (index === 0) this.#turns.compact({ content, stamp, source })
      else if (item.type === 'user') this.#turns.inject(content, stamp, source)
      else if (item.type === 'piece') this.#turns.answer({ content, ...this.#route() }, stamp)
      else this.#turns.result({ ...item, content }, stamp)
    }
    return true
  }

  #drafted(): Draft {
    if (this.#draft === undefined) {
      this.#turns.draft()
      this.#draft = { stamp: this.#stamp(), content: [], hasResults: false }
    }
    return this.#draft
  }

  #commit(usage?: TokenUsage): void {
    const draft = this.#draft
    if (draft === undefined) return
    this.#draft = undefined
    this.#turns.commit({ content: draft.content, ...this.#route(), usage }, draft.stamp)
  }

  #request(): void {
    if (this.#model === undefined && this.#instructions === undefined) return
    const effort = this.#effort === undefined ? {} : { reasoningEffort: this.#effort }
    const system = this.#instructions === undefined ? {} : { system: this.#instructions }
    this.#turns.request({ config: { ...this.#route(), ...effort }, ...system }, this.#contextWindow)
  }

  #route() {
    return { provider: this.#provider, model: this.#model || UNKNOWN }
  }

  /** Nobody types what a sub-agent is told. */
  #source(): MessageSource {
    return this.#isSubagent ? codexSource : { kind: 'user' }
  }

  #stamp(part?: number): Stamp {
    return { id: this.#writer.messageId(part === 0 ? undefined : part), time: this.#writer.time }
  }
}

/** Whether a session's record says that another agent started it, and how deep down. */
export function subagentDepth(meta: JsonRecord): number | undefined {
  const subagent = field(meta.source, 'subagent')
  if (subagent === undefined) return undefined
  const depth = field(field(subagent, 'thread_spawn'), 'depth')
  return typeof depth === 'number' && Number.isSafeInteger(depth) && depth > 0 ? depth : 1
}
