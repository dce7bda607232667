import type { ContentBlock, MessageSource } from '@dsh/llm'
import { Fields } from '../../fields.js'
import { field, isRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { isoTime } from '../../time.js'
import type { Answer } from '../../turn/answer.js'
import { type Stamp, TurnBuilder } from '../../turn/turn-builder.js'
import { requestHeader, routeOf } from '../chat-request.js'
import type { ReaderOptions, SessionReader } from '../reader.js'
import { callOf } from './calls.js'
import { type OpenHandsEvent, readEvent } from './events.js'

/** What the first reading tells the second. */
export interface OpenHandsContext {
  willAnswer(callId: string): boolean
  /** Ordinal of the last action of a response. */
  lastAction(responseId: string): number
}

const tool: MessageSource = { kind: 'plugin', plugin: 'openhands' }

/** A response of which not all actions have been read. */
interface Draft {
  readonly responseId: string
  readonly stamp: Stamp
  readonly content: ContentBlock[]
  readonly answer: Omit<Answer, 'content'>
}

/** Reads the events of an OpenHands conversation. */
export class OpenHandsReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #turns: TurnBuilder
  readonly #options: ReaderOptions
  readonly #context: OpenHandsContext
  /** The messages of the events, for condensations, which name events. */
  readonly #events: { readonly id: number | string; readonly stamp: Stamp }[] = []
  #draft: Draft | undefined
  #model: string | undefined

  constructor(writer: LogWriter, options: ReaderOptions, context: OpenHandsContext) {
    this.#writer = writer
    this.#options = options
    this.#context = context
    this.#turns = new TurnBuilder(writer, { willAnswer: callId => context.willAnswer(callId) })
  }

  kind({ value, list }: SourceRecord): string {
    const kind = textField(value, 'kind')
    if (kind !== undefined) return kind
    const [action, observation] = [textField(value, 'action'), textField(value, 'observation')]
    if (action !== undefined) return `action/${action}`
    return observation === undefined ? (list === undefined ? 'row' : 'event') : `observation/${observation}`
  }

  take(record: SourceRecord): void {
    const { value } = record
    this.#writer.at(record, isoTime(field(value, 'timestamp')))
    const kind = this.kind(record)
    if (!isRecord(value)) {
      this.#writer.keep(kind)
      return
    }
    const fields = new Fields(value)
    const event = readEvent(kind, fields)
    if (event === undefined) this.#writer.keep(kind)
    else {
      this.#remember(value.id)
      this.#write(event, record.ordinal, callOf(value).responseId)
      fields.spend('id', 'timestamp', 'cause', 'action_id', 'kind')
      // Names in version 0, objects in version 1.
      for (const key of ['action', 'observation']) fields.text(key)
      this.#writer.keepRest(kind, fields)
    }
  }

  settle(): void {
    this.#commit()
    this.#turns.end()
  }

  #write(event: OpenHandsEvent, ordinal: number, responseId: string | undefined): void {
    const goesOn = event.type === 'answer' && this.#draft?.responseId === responseId
    if (!goesOn && event.type !== 'result') this.#commit()
    switch (event.type) {
      case 'system':
        this.#turns.request(requestHeader({ ...routeOf(this.#options), system: event.text, tools: event.tools })!)
        return
      case 'prompt':
        this.#turns.prompt(event.content, this.#stamp())
        return
      case 'context':
        this.#turns.inject(event.content, this.#stamp(), tool)
        return
      case 'answer':
        this.#answer(event, ordinal, responseId)
        return
      case 'result':
        this.#turns.result(event, this.#stamp())
        return
      case 'end':
        this.#turns.endTurn(event.ending)
        return
      case 'condensation':
        this.#condense(event)
    }
  }

  #answer(event: OpenHandsEvent & { type: 'answer' }, ordinal: number, responseId: string | undefined): void {
    this.#model = event.model ?? this.#model
    const route = routeOf(this.#options, { model: this.#model })
    const answer = { ...route, usage: event.usage }
    if (responseId === undefined) {
      this.#turns.answer({ ...answer, content: event.content }, this.#stamp())
    } else {
      if (this.#draft === undefined) {
        this.#turns.draft()
        this.#draft = { responseId, stamp: this.#stamp(), content: [], answer }
      }
      // Actions of one response all tell its thought.
      const said = this.#draft.content
      said.push(
        ...event.content.filter(block => block.type === 'tool-call' || !said.some(other => isSame(other, block))),
      )
      if (ordinal >= this.#context.lastAction(responseId)) this.#commit()
    }
    if (event.isLast) this.#turns.endTurn({ kind: 'completed' })
  }

  #commit(): void {
    const draft = this.#draft
    if (draft === undefined) return
    this.#draft = undefined
    this.#turns.commit({ ...draft.answer, content: draft.content }, draft.stamp)
  }

  /** Some of the events that the model saw are replaced by a summary, mostly not the first ones. */
  #condense({ forgotten, content }: OpenHandsEvent & { type: 'condensation' }): void {
    const gone = new Set(forgotten)
    const replaced = this.#events.filter(({ id }) => gone.has(id)).map(({ stamp }) => stamp.id)
    this.#turns.compact({ content, stamp: this.#stamp(), source: tool, replaced })
  }

  #remember(id: unknown): void {
    if (typeof id === 'number' || typeof id === 'string') this.#events.push({ id, stamp: this.#stamp() })
  }

  #stamp(): Stamp {
    return { id: this.#writer.messageId(), time: this.#writer.time }
  }
}

function isSame(a: ContentBlock, b: ContentBlock): boolean {
  return a.type === b.type && 'text' in a && 'text' in b && a.text === b.text
}
