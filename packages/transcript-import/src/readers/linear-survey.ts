import type { LogWriter } from '../log/log-writer.js'
import type { SourceRecord } from '../source/record.js'
import type { SessionPlan, SessionReader, Survey } from './reader.js'

/** What a format without branches says of a record in the first reading. */
export interface RecordFacts {
  readonly time?: number | undefined
  /** The calls that the record answers. */
  readonly answers?: readonly string[]
}

/** What a format without branches finds out about its one session. */
export type SessionFacts = Pick<SessionPlan, 'sourceId' | 'parentId' | 'depth' | 'cwd' | 'createdAt'>

/** Where calls are answered. */
export class AnswerIndex {
  readonly #last = new Map<string, number>()

  add(callId: string, ordinal: number): void {
    this.#last.set(callId, ordinal)
  }

  /** Whether a record behind `ordinal` answers the call. */
  isAhead(callId: string, ordinal: number): boolean {
    return (this.#last.get(callId) ?? -1) > ordinal
  }
}

/** The first reading of a file that holds one session, record after record. */
export class LinearSurvey implements Survey {
  readonly #look: (record: SourceRecord) => RecordFacts
  readonly #facts: () => SessionFacts
  readonly #open: (writer: LogWriter, willAnswer: (callId: string) => boolean) => SessionReader
  readonly #answers = new AnswerIndex()
  #startTime: number | undefined

  constructor(
    look: (record: SourceRecord) => RecordFacts,
    facts: () => SessionFacts,
    open: (writer: LogWriter, willAnswer: (callId: string) => boolean) => SessionReader,
  ) {
    this.#look = look
    this.#facts = facts
    this.#open = open
  }

  take(record: SourceRecord): void {
    const { time, answers = [] } = this.#look(record)
    this.#startTime ??= time
    for (const callId of answers) this.#answers.add(callId, record.ordinal)
  }

  plan(): readonly SessionPlan[] {
    return [
      {
        key: 'main',
        role: 'live',
        ...this.#facts(),
        startTime: this.#startTime,
        includes: () => true,
        open: writer => this.#open(writer, callId => this.#answers.isAhead(callId, writer.ordinal)),
      },
    ]
  }
}
