import type { JsonValue } from '@dsh/llm'
import { field, isRecord, textField } from '../../json-value.js'
import type { SourceRecord } from '../../source/record.js'
import { isoTime } from '../../time.js'
import { AnswerIndex } from '../linear-survey.js'
import type { ReaderOptions, SessionPlan, Survey, TranscriptReader } from '../reader.js'
import { callOf } from './calls.js'
import { OpenHandsReader } from './read.js'

/** OpenHands: the events of a conversation, of version 0 or 1, in a list, an evaluation row, or one a line. */
export const openhands: TranscriptReader = {
  format: 'openhands',
  recognizes: records => score(records),
  recognizesDocument(document) {
    if (Array.isArray(document)) return score(document)
    const history = field(document, 'history')
    return Array.isArray(history) ? score(history) : 0
  },
  lists: ['history'],
  survey: options => new OpenHandsSurvey(options),
}

function score(values: readonly JsonValue[]): number {
  const events = values.filter(isEvent).length
  return events === 0 ? 0 : events + 1
}

function isEvent(value: JsonValue): boolean {
  if (!isRecord(value) || typeof value.source !== 'string') return false
  if (typeof value.kind === 'string') return typeof value.timestamp === 'string'
  return typeof value.action === 'string' || typeof value.observation === 'string'
}

/** The first reading: which answers come in several actions, and which of them the environment answers. */
class OpenHandsSurvey implements Survey {
  readonly #options: ReaderOptions
  readonly #answers = new AnswerIndex()
  readonly #lastActions = new Map<string, number>()
  #startTime: number | undefined
  #sourceId: string | undefined

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  take({ ordinal, value }: SourceRecord): void {
    this.#startTime ??= isoTime(field(value, 'timestamp'))
    this.#sourceId ??= textField(value, 'instance_id')
    if (!isRecord(value)) return
    const { callId, responseId, isAnswer } = callOf(value)
    if (isAnswer && callId !== undefined) this.#answers.add(callId, ordinal)
    if (!isAnswer && responseId !== undefined) this.#lastActions.set(responseId, ordinal)
  }

  plan(): readonly SessionPlan[] {
    return [
      {
        key: 'main',
        role: 'live',
        sourceId: this.#sourceId,
        startTime: this.#startTime,
        includes: () => true,
        open: writer =>
          new OpenHandsReader(writer, this.#options, {
            willAnswer: callId => this.#answers.isAhead(callId, writer.ordinal),
            lastAction: responseId => this.#lastActions.get(responseId) ?? -1,
          }),
      },
    ]
  }
}
