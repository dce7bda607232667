import type { JsonValue } from '@dsh/llm'
import { SESSION_FORMAT_VERSION, SessionError } from '@dsh/session'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { SourceRecord } from '../../source/record.js'
import { isHeader } from '../deepseek-harness/index.js'
import { isEventType } from '../event-log/acceptable.js'
import type { SessionPlan, Survey, TranscriptReader } from '../reader.js'
import { readHeader } from './header.js'
import { JsonlReader, rowsOf } from './read.js'

/** The plain log: a header, then an event or a packed row on each line, as `exportTranscript` and stored logs have it. */
export const jsonl: TranscriptReader = {
  format: 'jsonl',
  recognizes(records) {
    const isOurs = records.some(
      record =>
        (isHeader(record) && field(record, 'version') !== 0 && field(record, 'version') !== undefined) ||
        isStored(record),
    )
    return isOurs ? records.filter(record => isHeader(record) || isStored(record) || isEvent(record)).length + 1 : 0
  },
  recognizesDocument: document =>
    isHeader(document) && typeof field(document, 'version') === 'number' && field(document, 'version') !== 0 ? 2 : 0,
  lists: [],
  survey: () => new JsonlSurvey(),
}

/** Whether a line is one that only stored logs have: a commit, or a packed row of today's form. */
function isStored(value: JsonValue): boolean {
  if (!isRecord(value)) return false
  if (value.type === 'commit') return typeof value.next === 'number' && typeof value.crc === 'number'
  return typeof value.n === 'number' && Array.isArray(field(value.data, 'len'))
}

function isEvent(value: JsonValue): boolean {
  return isRecord(value) && typeof value.type === 'string' && isEventType(value.type) && typeof value.seq === 'number'
}

/** The first reading: the header. */
class JsonlSurvey implements Survey {
  #header: JsonRecord | undefined
  #startTime: number | undefined
  #events = 0

  take({ value }: SourceRecord): void {
    if (!isRecord(value)) return
    if (isHeader(value)) {
      requireVersion(value)
      this.#header ??= value
      return
    }
    this.#events += rowsOf(value)
    if (Number.isSafeInteger(value.time)) this.#startTime ??= value.time as number
  }

  plan(): readonly SessionPlan[] {
    const { header, left } = readHeader(this.#header, this.#events)
    return [
      {
        key: 'main',
        role: 'live',
        sourceId: textField(header, 'id'),
        startTime: this.#startTime,
        header,
        includes: () => true,
        open: writer => new JsonlReader(writer, left),
      },
    ]
  }
}

function requireVersion({ version, id }: JsonRecord): void {
  if (version === SESSION_FORMAT_VERSION) return
  const relation = typeof version === 'number' && version > SESSION_FORMAT_VERSION ? 'newer' : 'other'
  throw new SessionError('FORMAT_UNSUPPORTED', {
    expected: `format version ${SESSION_FORMAT_VERSION}`,
    found: `the ${relation} version ${String(version)}`,
    ...(typeof id === 'string' && { session: id }),
    path: 'header.version',
  })
}
