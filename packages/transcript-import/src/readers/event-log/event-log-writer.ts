import type { CallId, JsonValue, MessageId } from '@dsh/llm'
import {
  isSurfaceEligibleType,
  openToolCalls,
  openTurn,
  type SessionEvent,
  type SurfaceOp,
  TOOL_INTERRUPTED,
} from '@dsh/session'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { isAcceptable } from './acceptable.js'
import { SeqMap } from './seq-map.js'
import type { AdaptedEvent, SourceEvent } from './source-event.js'

/** What a rewrite of a tool's answer must leave as it is. */
interface ResultFacts {
  readonly turn: JsonValue | undefined
  readonly step: JsonValue | undefined
  readonly callId: string | undefined
  readonly isError: boolean
}

/**
 * Writes the events of another session log. Each takes the place of one, so that sequence numbers hold; what is to be
 * said beside them comes at the end.
 */
export class EventLogWriter {
  readonly #writer: LogWriter
  readonly #seqs = new SeqMap()
  readonly #results = new Map<number, ResultFacts>()
  #later: { readonly record: SourceRecord | undefined; readonly write: () => void }[] = []
  #next = 0
  #openTurn = openTurn.initial()
  #openCalls = openToolCalls.initial()

  constructor(writer: LogWriter) {
    this.#writer = writer
  }

  /** The number that the next event has in the source, where it does not say. */
  get next(): number {
    return this.#next
  }

  /** The step that is open, or the last one of the open turn; 0 without one. */
  lastStep = 0

  /** Whether the event comes behind all that have been written. */
  isNew(event: SourceEvent): boolean {
    return (event.seq ?? this.#next) >= this.#next
  }

  /**
   * Writes an event, adapted. What the log would refuse becomes an `import/record` in its place.
   * @param kind what the source calls it
   */
  write(event: SourceEvent, { type, data, left, note }: AdaptedEvent, kind: string): void {
    const number = event.seq ?? this.#next
    if (number > this.#next) {
      const range = { from: this.#next, to: number - 1 }
      this.later(() => this.#writer.note('gap', `The events ${range.from} to ${range.to} are missing.`, range))
    }
    this.#next = number + 1
    if (event.time !== undefined) this.#writer.time = event.time
    const placement = this.#placement(type, data, event)
    if (placement === undefined || !isAcceptable(type, data)) {
      this.#seqs.add(number, this.#writer.seq)
      this.#writer.keep(kind, envelopeOf(event))
      return
    }
    const { time } = this.#writer
    const written = { type, time, ...placement, data } as unknown as Omit<SessionEvent, 'seq'>
    const seq = this.#writer.verbatim(written)
    this.#seqs.add(number, seq)
    this.#follow({ ...written, seq } as SessionEvent)
    if (left !== undefined) this.keepPart(kind, { seq, ...left })
    if (note !== undefined) {
      const details = { seq, ...(note.details !== undefined && { said: note.details }) }
      this.later(() => this.#writer.note(note.about, note.text, details))
    }
  }

  /** Keeps what was left of a record, behind all events. */
  keepPart(kind: string, part: JsonRecord): void {
    this.#writer.partly++
    this.later(() => this.#writer.keepPart(kind, part))
  }

  /** Keeps the current record whole, behind all events. */
  keep(kind: string): void {
    this.#writer.kept++
    this.later(() => this.#writer.keep(kind))
  }

  /** Writes something behind all events. */
  later(write: () => void): void {
    this.#later.push({ record: this.#writer.record, write })
  }

  /** Writes what was put off. */
  flush(): void {
    const later = this.#later
    this.#later = []
    for (const { record, write } of later) this.#writer.within(record, write)
  }

  /** Closes a turn that the log leaves open, as crash recovery does. */
  close(): void {
    const open = this.#openTurn
    if (open === undefined) return
    const time = this.#writer.lastTime
    for (const { callId, turn, step, callSeq } of this.#openCalls) {
      const id = `${this.#writer.format}:closer/${this.#writer.seq}` as MessageId
      const code = callSeq === undefined ? 'TOOL_NOT_STARTED' : 'TOOL_OUTCOME_UNKNOWN'
      const text = 'Interrupted: the log ends before this call was answered. It may have taken effect.'
      this.#writer.message(
        'tool/result',
        { turn, step, message: interrupted(id, callId, text), error: { name: TOOL_INTERRUPTED, code } },
        time,
        callSeq === undefined ? {} : { sourceEventSeqs: [callSeq] },
      )
    }
    const { turn, step } = open
    if (step !== undefined) this.#writer.log('step/end', { turn, step }, time)
    this.#writer.log('turn/end', { turn, reason: { kind: 'interrupted' } }, time)
    this.#openTurn = undefined
    this.#openCalls = []
  }

  #follow(event: SessionEvent): void {
    if (event.type === 'turn/start') this.lastStep = 0
    if (event.type === 'step/start') this.lastStep = numberOf(event.data, 'step') ?? this.lastStep
    if (openTurn.types!.includes(event.type)) this.#openTurn = openTurn.apply(this.#openTurn, event)
    if (openToolCalls.types!.includes(event.type)) this.#openCalls = openToolCalls.apply(this.#openCalls, event)
    if (event.type === 'tool/result') this.#results.set(event.seq, factsOf(event.data as unknown as JsonRecord))
  }

  /** Surface marker and sources as the log takes them; undefined where it would refuse them. */
  #placement(type: string, data: JsonValue, { surfaceOp, sourceEventSeqs }: SourceEvent): object | undefined {
    if (!isSurfaceEligibleType(type)) return surfaceOp === undefined && sourceEventSeqs === undefined ? {} : undefined
    const cited = this.#cited(type, sourceEventSeqs)
    // The first logs have no marker: a message is at the end of what the model sees.
    if (surfaceOp === undefined || surfaceOp === 'append') return { surfaceOp: 'append', ...cited }
    const op = this.#replacement(surfaceOp)
    const shadowed = op === undefined ? [] : this.#range(op)
    if (op === undefined || shadowed.length === 0 || !this.#canReplace(type, data, shadowed)) return undefined
    const sources = new Set([...(cited.sourceEventSeqs ?? []), ...shadowed])
    return { surfaceOp: op, sourceEventSeqs: [...sources].sort((a, b) => a - b) }
  }

  #cited(type: string, value: JsonValue | undefined): { readonly sourceEventSeqs?: readonly number[] } {
    if (!Array.isArray(value)) return {}
    const known = new Set(value.flatMap(source => (typeof source === 'number' ? (this.#seqs.get(source) ?? []) : [])))
    if (known.size < value.length) {
      this.later(() => this.#writer.note('sources', 'Some sources of an event are not in the log.', { cited: value }))
    }
    const isEmptyStream = value.length === 0 && type === 'assistant/message'
    return known.size === 0 && !isEmptyStream ? {} : { sourceEventSeqs: [...known] }
  }

  #replacement(value: JsonValue): Extract<SurfaceOp, object> | undefined {
    const [start, end] = [field(value, 'start'), field(value, 'end')]
    if (field(value, 'op') !== 'replace' || typeof start !== 'number' || typeof end !== 'number') return undefined
    const [from, to] = [this.#seqs.get(start), this.#seqs.get(end)]
    return from === undefined || to === undefined ? undefined : { op: 'replace', start: from, end: to }
  }

  #range({ start, end }: Extract<SurfaceOp, object>): readonly number[] {
    const { surface } = this.#writer
    const [from, to] = [surface.indexOf(start), surface.indexOf(end)]
    return from < 0 || to < from ? [] : surface.slice(from, to + 1)
  }

  #canReplace(type: string, data: JsonValue, shadowed: readonly number[]): boolean {
    if (!saysSomething(field(field(data, 'message') ?? data, 'content'))) return false
    if (type !== 'tool/result') return true
    const old = this.#results.get(shadowed[0]!)
    if (shadowed.length !== 1 || old === undefined || !isRecord(data)) return false
    const facts = factsOf(data)
    return (['turn', 'step', 'callId', 'isError'] as const).every(key => facts[key] === old[key])
  }
}

function numberOf(data: unknown, key: string): number | undefined {
  const value = field(data, key)
  return typeof value === 'number' ? value : undefined
}

function envelopeOf({ type, data, surfaceOp, sourceEventSeqs }: SourceEvent): JsonRecord {
  return {
    type,
    data,
    ...(surfaceOp !== undefined && { surfaceOp }),
    ...(sourceEventSeqs !== undefined && { sourceEventSeqs }),
  }
}

function interrupted(id: MessageId, toolCallId: CallId, text: string) {
  const block = { type: 'tool-result' as const, toolCallId, content: [{ type: 'text' as const, text }], isError: true }
  return { id, role: 'user' as const, source: { kind: 'tool' as const, callId: toolCallId }, content: [block] as const }
}

function factsOf(data: JsonRecord): ResultFacts {
  const content = field(data.message, 'content')
  const block = Array.isArray(content) ? content[0] : undefined
  return {
    turn: data.turn,
    step: data.step,
    callId: textField(block, 'toolCallId'),
    isError: field(block, 'isError') === true,
  }
}

function saysSomething(content: JsonValue | undefined): boolean {
  if (!Array.isArray(content)) return false
  return content.some(block => {
    if (field(block, 'type') === 'text') return (textField(block, 'text') ?? '').trim() !== ''
    return field(block, 'type') !== 'tool-result' || saysSomething(field(block, 'content'))
  })
}
