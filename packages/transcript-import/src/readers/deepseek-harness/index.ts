import type { JsonValue } from '@dsh/llm'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { SourceRecord } from '../../source/record.js'
import { isEventType } from '../event-log/acceptable.js'
import type { SessionPlan, Survey, TranscriptReader } from '../reader.js'
import { isPackedRow, unpack } from './packed-rows.js'
import { HarnessReader } from './read.js'

/** Session logs of version 0: of the lineage that this log comes from, in their current and their early vocabulary. */
export const deepseekHarness: TranscriptReader = {
  format: 'deepseek-harness',
  recognizes(records) {
    const headers = records.filter(isHeader)
    if (headers.some(header => ((header as JsonRecord).version ?? 0) !== 0)) return 0
    return headers.length + records.filter(isEvent).length
  },
  recognizesDocument: document => (isHeader(document) && (field(document, 'version') ?? 0) === 0 ? 1 : 0),
  lists: [],
  survey: () => new HarnessSurvey(),
}

/** Whether a line is the header of a session log, of whatever version. */
export function isHeader(value: JsonValue): boolean {
  return isRecord(value) && value.type === 'session' && typeof value.createdAt === 'number'
}

function isEvent(value: JsonValue): boolean {
  if (!isRecord(value) || typeof value.type !== 'string' || !('data' in value)) return false
  return isEventType(value.type) || isPackedRow(value)
}

/** The first reading: the header, and what started the turns that do not say. */
class HarnessSurvey implements Survey {
  readonly #triggers = new Map<number, JsonValue>()
  #header: JsonRecord | undefined
  #startTime: number | undefined
  #turn: number | undefined
  #events = 0

  take({ ordinal, value }: SourceRecord): void {
    if (!isRecord(value)) return
    if (isHeader(value)) {
      this.#header ??= value
      return
    }
    const { type, data } = value
    this.#startTime ??= integer(value.time) ?? integer(value.time0)
    this.#events += isPackedRow(value) ? (unpack(value)?.length ?? 1) : 1
    if (type === 'turn/start' || type === 'turn/end') this.#turn = type === 'turn/start' ? ordinal : undefined
    if (type === 'user/message' && this.#turn !== undefined) this.#learn(this.#turn, field(data, 'source'))
  }

  plan(): readonly SessionPlan[] {
    const header = this.#header
    const seedLength = integer(field(header, 'seedLength'))
    return [
      {
        key: 'main',
        role: field(header, 'origin') === 'subagent' ? 'subagent' : 'live',
        sourceId: textField(header, 'id'),
        parentId: textField(header, 'parentSession'),
        depth: integer(field(header, 'delegationDepth')),
        cwd: textField(header, 'cwd'),
        createdAt: integer(field(header, 'createdAt')),
        startTime: this.#startTime ?? integer(field(header, 'createdAt')),
        ...(seedLength !== undefined && seedLength <= this.#events && { seedLength }),
        includes: () => true,
        open: writer => new HarnessReader(writer, ordinal => this.#triggers.get(ordinal) ?? { kind: 'unrecorded' }),
      },
    ]
  }

  /** The first message of a person tells what started a turn; without one the first message does. */
  #learn(turn: number, source: JsonValue | undefined): void {
    const kind = textField(source, 'kind')
    if (kind === undefined || kind === '') return
    const known = this.#triggers.get(turn)
    if (known !== undefined && (kind !== 'user' || textField(field(known, 'source'), 'kind') === 'user')) return
    this.#triggers.set(turn, { kind: kind === 'plugin' ? 'injection' : 'message', source: source! })
  }
}

function integer(value: JsonValue | undefined): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}
