import type { JsonValue, MessageId } from '@dsh/llm'
import type { SessionEvent, SessionEventMap, SessionEventType, SurfaceEventType, SurfaceOp } from '@dsh/session'
import type { ImportOrigin } from '../events.js'
import type { Fields } from '../fields.js'
import type { TranscriptFormat } from '../format.js'
import type { JsonRecord } from '../json-value.js'
import type { DamagedRecord, SourceRecord } from '../source/record.js'
import { positionName } from '../source/record.js'
import { FactMemory } from './fact-memory.js'

/** How a message enters the surface, with what it was made from. */
export interface Placement {
  readonly surfaceOp?: SurfaceOp
  readonly sourceEventSeqs?: readonly number[]
}

/** A turn that ended, and how far into the source one has to read to get everything up to there. */
export interface Boundary {
  /** Sequence number of the `turn/end`. */
  readonly seq: number
  /** Ordinal of the last record that the events up to there were made of. */
  readonly ordinal: number
}

/** Writes the events of one imported session: sequence numbers, times, and what every format keeps in the same way. */
export class LogWriter {
  readonly format: TranscriptFormat
  /** How many whole records became an `import/record`. */
  kept = 0
  /** How many records left some fields for an `import/record`. */
  partly = 0
  /** Where turns have ended. */
  readonly boundaries: Boundary[] = []
  /** The messages that the model sees, as sequence numbers. */
  surface: number[] = []
  /** Unix epoch milliseconds of what is being read: its own time where it has one, else that of what came before. */
  time: number
  readonly #facts = new FactMemory()
  readonly #messages = new Map<MessageId, number>()
  readonly #results = new Set<number>()
  #record: SourceRecord | undefined
  #seq = 0
  #lastOrdinal = -1
  #lastTime: number
  #out: SessionEvent[] = []

  /** @param time until a record tells one */
  constructor(format: TranscriptFormat, time: number) {
    this.format = format
    this.time = time
    this.#lastTime = time
  }

  /** The next sequence number. */
  get seq(): number {
    return this.#seq
  }

  /** The time of the last event. */
  get lastTime(): number {
    return this.#lastTime
  }

  /** Begins to read a record. What is written from here on comes from it. */
  at(record: SourceRecord, time: number | undefined): void {
    this.#record = record
    if (time !== undefined) this.time = time
  }

  /** The record that is being read. */
  get record(): SourceRecord | undefined {
    return this.#record
  }

  /** Does something that an earlier record asked for. */
  within(record: SourceRecord | undefined, write: () => void): void {
    const current = this.#record
    this.#record = record
    write()
    this.#record = current
  }

  /** Where the record that is being read lies. */
  get origin(): ImportOrigin {
    return { format: this.format, ...this.#record?.position }
  }

  /** An id for a message that the current record holds; `part` tells several apart. */
  messageId(part?: string | number): MessageId {
    const place = this.#record === undefined ? 'end' : positionName(this.#record.position)
    return `${this.format}:${place}${part === undefined ? '' : `#${part}`}` as MessageId
  }

  /** Writes an event that no message is in. */
  log<T extends Exclude<SessionEventType, SurfaceEventType>>(
    type: T,
    data: SessionEventMap[T],
    time = this.time,
  ): number {
    return this.#push({ type, seq: this.#seq, time, data } as unknown as SessionEvent)
  }

  /** Writes a message. */
  message<T extends SurfaceEventType>(
    type: T,
    data: SessionEventMap[T],
    time = this.time,
    { surfaceOp = 'append', sourceEventSeqs }: Placement = {},
  ): number {
    const seq = this.#push({
      type,
      seq: this.#seq,
      time,
      surfaceOp,
      ...(sourceEventSeqs !== undefined && { sourceEventSeqs }),
      data,
    } as unknown as SessionEvent)
    this.#place(seq, surfaceOp)
    const { id } = 'message' in data ? data.message : data
    this.#messages.set(id, seq)
    if (type === 'tool/result') this.#results.add(seq)
    return seq
  }

  /** Writes an event as the source has it. */
  verbatim(event: Omit<SessionEvent, 'seq'>): number {
    const seq = this.#push({ ...event, seq: this.#seq } as SessionEvent)
    if ('surfaceOp' in event) this.#place(seq, event.surfaceOp as SurfaceOp)
    return seq
  }

  /** Notes that the event written last ended a turn whose events were made of the records up to `ordinal`. */
  turnEnded(ordinal: number): void {
    this.boundaries.push({ seq: this.#seq - 1, ordinal })
  }

  /** The ordinal of the record that is being read. */
  get ordinal(): number {
    return this.#record?.ordinal ?? -1
  }

  /** The ordinal of the last record that something was written of. */
  get lastOrdinal(): number {
    return this.#lastOrdinal
  }

  /** The place of a message on the surface; undefined where none of that id is on it. */
  surfaceSeq(id: MessageId): number | undefined {
    const seq = this.#messages.get(id)
    return seq !== undefined && this.surface.includes(seq) ? seq : undefined
  }

  /** Whether the event of that sequence number is the answer of a tool. */
  isResult(seq: number): boolean {
    return this.#results.has(seq)
  }

  /** Keeps the current record whole. */
  keep(kind: string, record: JsonValue | undefined = this.#record?.value): void {
    if (record === undefined) return
    this.log('import/record', { origin: this.origin, kind, record })
    this.kept++
  }

  /** Keeps what a reader left of the current record. Short fields that repeat what they said before are left out. */
  keepRest(kind: string, fields: Fields): void {
    const rest = fields.rest()
    const news = rest === undefined ? undefined : this.#facts.news(rest)
    if (news !== undefined) this.keepPart(kind, news)
  }

  /** Keeps a part of the current record. */
  keepPart(kind: string, record: JsonRecord): void {
    this.log('import/record', { origin: this.origin, kind, record, rest: true })
    this.partly++
  }

  damaged({ ordinal, position, damage }: DamagedRecord): void {
    this.log('import/damaged', { origin: { format: this.format, ...position }, ...damage })
    this.#lastOrdinal = Math.max(this.#lastOrdinal, ordinal)
  }

  note(about: string, text: string, details?: JsonValue): void {
    this.log('import/note', { origin: this.origin, about, text, ...(details !== undefined && { details }) })
  }

  /** The events since the last call. */
  drain(): SessionEvent[] {
    const out = this.#out
    this.#out = []
    return out
  }

  #push(event: SessionEvent): number {
    this.#out.push(event)
    this.#lastTime = event.time
    if (this.#record !== undefined) this.#lastOrdinal = Math.max(this.#lastOrdinal, this.#record.ordinal)
    return this.#seq++
  }

  #place(seq: number, op: SurfaceOp): void {
    if (op === 'append') {
      this.surface.push(seq)
      return
    }
    const [from, to] = [this.surface.indexOf(op.start), this.surface.indexOf(op.end)]
    this.surface.splice(from, to - from + 1, seq)
  }
}
