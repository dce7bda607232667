import type { JsonValue } from '@dsh/llm'
import { Fields } from '../../fields.js'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import { isAbsolutePath } from '../../session-headers.js'
import type { SourceRecord } from '../../source/record.js'
import { UNKNOWN } from '../chat-request.js'
import { EventLogWriter } from '../event-log/event-log-writer.js'
import type { SourceEvent } from '../event-log/source-event.js'
import type { SessionReader } from '../reader.js'
import { adaptEvent } from './adapt.js'
import type { Route } from './early.js'
import { isHeader } from './index.js'
import { isPackedRow, packedRest, unpack } from './packed-rows.js'

/** Reads the lines of a version 0 log. */
export class HarnessReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #log: EventLogWriter
  readonly #triggerOf: (ordinal: number) => JsonValue
  #route: Route = { provider: UNKNOWN, model: UNKNOWN }
  #hasHeader = false

  /** @param triggerOf what started the turn whose start is the record of that ordinal */
  constructor(writer: LogWriter, triggerOf: (ordinal: number) => JsonValue) {
    this.#writer = writer
    this.#log = new EventLogWriter(writer)
    this.#triggerOf = triggerOf
  }

  kind({ value }: SourceRecord): string {
    return textField(value, 'type') ?? 'record'
  }

  take(record: SourceRecord): void {
    const { value } = record
    this.#writer.at(record, undefined)
    const kind = this.kind(record)
    if (!isRecord(value)) this.#writer.keep(kind)
    else if (isHeader(value)) this.#header(value, kind)
    else if (isPackedRow(value)) this.#packed(value, kind)
    else this.#event(value, kind, record.ordinal)
  }

  settle(): void {
    this.#log.close()
    this.#log.flush()
  }

  #header(value: JsonRecord, kind: string): void {
    if (this.#hasHeader) {
      this.#log.keep(kind)
      return
    }
    this.#hasHeader = true
    const fields = new Fields(value).spend(
      'type',
      'version',
      'id',
      'createdAt',
      'parentSession',
      'delegationDepth',
      'seedLength',
    )
    if (isAbsolutePath(textField(value, 'cwd'))) fields.spend('cwd')
    const rest = fields.rest()
    if (rest !== undefined) this.#log.keepPart(kind, rest)
  }

  #packed(row: JsonRecord, kind: string): void {
    const events = unpack(row)
    if (events === undefined) {
      this.#writer.keep(kind)
      return
    }
    let isRepeated = false
    for (const [member, event] of events.entries()) {
      if (this.#log.isNew(event)) this.#write(event, kind, gapBefore(row, member))
      else isRepeated = true
    }
    const rest = packedRest(row)
    if (isRepeated) this.#log.keep(kind)
    else if (rest !== undefined) this.#log.keepPart(kind, rest)
  }

  #event(value: JsonRecord, kind: string, ordinal: number): void {
    const { type, seq, time, data, surfaceOp, sourceEventSeqs } = value
    if (typeof type !== 'string' || data === undefined || !type.includes('/')) {
      this.#writer.keep(kind)
      return
    }
    const event: SourceEvent = { type, seq: integer(seq), time: integer(time), data, surfaceOp, sourceEventSeqs }
    // Without a capacity the record says that it is unknown, which is what no record says.
    const saysNothing = type === 'request/context' && typeof field(data, 'contextWindow') !== 'number'
    if (!this.#log.isNew(event)) {
      this.#log.keep(kind)
      return
    }
    if (saysNothing) this.#log.write(event, { type: '', data }, kind)
    else this.#write(event, kind, 0, ordinal)
    const rest = besideEvent(value)
    if (rest !== undefined) this.#log.keepPart(kind, rest)
  }

  #write(event: SourceEvent, kind: string, gap: number, ordinal = -1): void {
    if (event.time === undefined) this.#writer.time += gap
    const adapted = adaptEvent(event, {
      id: this.#writer.messageId(),
      route: this.#route,
      lastStep: this.#log.lastStep,
      trigger: this.#triggerOf(ordinal),
    })
    this.#log.write(event, adapted, kind)
    if (event.type === 'request/header') this.#follow(field(field(event.data, 'header'), 'config'))
  }

  #follow(config: JsonValue | undefined): void {
    const [provider, model] = [textField(config, 'provider'), textField(config, 'model')]
    if (provider && model) this.#route = { provider, model }
  }
}

/** What an event says beside what every event says. */
function besideEvent(value: JsonRecord): JsonRecord | undefined {
  const fields = new Fields(value).spend('type', 'data', 'sourceEventSeqs')
  for (const key of ['seq', 'time']) if (integer(value[key]) !== undefined) fields.spend(key)
  fields.text('surfaceOp')
  fields.object('surfaceOp')?.spend('op', 'start', 'end')
  return fields.rest()
}

/** Milliseconds since the member before, of a row that does not say when it begins. */
function gapBefore(row: JsonRecord, member: number): number {
  const dt = field(row.data, 'dt')
  return member > 0 && Array.isArray(dt) ? (dt[member - 1] as number) : 0
}

function integer(value: JsonValue | undefined): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}
