import type { JsonValue } from '@dsh/llm'
import { decodeRow, describeRow, type SessionEvent } from '@dsh/session'
import { isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SourceRecord } from '../../source/record.js'
import { isHeader } from '../deepseek-harness/index.js'
import { EventLogWriter } from '../event-log/event-log-writer.js'
import type { SessionReader } from '../reader.js'

// A global of every runtime, declared here because the package is compiled without the types of Node or of the DOM.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const encoder = new TextEncoder()

/** How many events a line of a log holds. */
export function rowsOf({ type, n }: JsonRecord): number {
  if (type === 'commit') return 0
  return Number.isSafeInteger(n) ? (n as number) : 1
}

/** Reads the lines of a plain log. Of an intact one, exactly its events come out. */
export class JsonlReader implements SessionReader {
  readonly #writer: LogWriter
  readonly #log: EventLogWriter
  readonly #left: JsonRecord | undefined
  #header: string | undefined

  /** @param left what the session's header could not take */
  constructor(writer: LogWriter, left: JsonRecord | undefined) {
    this.#writer = writer
    this.#log = new EventLogWriter(writer)
    this.#left = left
  }

  kind({ value }: SourceRecord): string {
    return textField(value, 'type') ?? 'record'
  }

  take(record: SourceRecord): void {
    const { value } = record
    this.#writer.at(record, undefined)
    const kind = this.kind(record)
    if (isHeader(value)) this.#takeHeader(value, kind)
    // Says of the lines before it only that they are whole.
    else if (kind !== 'commit') this.#row(value, kind)
  }

  settle(): void {
    this.#log.flush()
  }

  /** Each part of a stored log begins with the header again. */
  #takeHeader(value: JsonValue, kind: string): void {
    const header = JSON.stringify(value)
    if (this.#header === undefined && this.#left !== undefined) this.#log.keepPart(kind, this.#left)
    if (this.#header !== undefined && this.#header !== header) this.#log.keep(kind)
    this.#header ??= header
  }

  #row(value: JsonValue, kind: string): void {
    const events = isRecord(value) ? decode(value) : undefined
    if (events === undefined) {
      this.#writer.keep(kind)
      return
    }
    for (const event of events) {
      const { type, seq, time, data, ...marker } = event as unknown as JsonRecord & { type: string; data: JsonValue }
      const source = { type, seq: seq as number, time: time as number, data, ...marker }
      if (this.#log.isNew(source)) this.#log.write(source, { type, data }, kind)
      else this.#log.keep(kind)
    }
  }
}

function decode(value: JsonRecord): SessionEvent[] | undefined {
  try {
    return decodeRow(describeRow(encoder.encode(JSON.stringify(value))))
  } catch {
    return undefined
  }
}
