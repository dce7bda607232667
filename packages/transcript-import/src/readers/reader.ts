import type { JsonValue } from '@dsh/llm'
import type { TranscriptFormat } from '../format.js'
import type { JsonRecord } from '../json-value.js'
import type { LogWriter } from '../log/log-writer.js'
import type { SourceRecord } from '../source/record.js'

/** What a reader may assume where its source says nothing. */
export interface ReaderOptions {
  /** Route of the answers. */
  readonly provider: string | undefined
  readonly model: string | undefined
}

/** Reads one transcript format. Readers do no input or output: records go in, events come out. */
export interface TranscriptReader {
  readonly format: TranscriptFormat
  /** How many of the first records of a file of lines look like this format. */
  recognizes(records: readonly JsonValue[]): number
  /** How sure it is that a document is of this format; 0 for not at all. */
  recognizesDocument(document: JsonValue): number
  /** The keys of a document under which its records lie in lists. */
  readonly lists: readonly string[]
  /** Reads all records once to find out which sessions they make. */
  survey(options: ReaderOptions): Survey
}

/** The first reading of a file. */
export interface Survey {
  take(record: SourceRecord): void
  /** The sessions, the live one first. */
  plan(): readonly SessionPlan[]
}

/** What a session of a file is. */
export type SessionRole = 'live' | 'branch' | 'subagent'

/** One session that a file makes. */
export interface SessionPlan {
  /** Tells the sessions of a file apart. */
  readonly key: string
  readonly role: SessionRole
  /** What the source calls the session; absent where it calls it nothing. */
  readonly sourceId?: string | undefined
  /** The session of the same file that this one was delegated from. */
  readonly delegatedBy?: string | undefined
  /** The session of another file that this one comes from, as the source calls it. */
  readonly parentId?: string | undefined
  /** The session of the same file that this one branches off. */
  readonly fork?: Fork | undefined
  readonly depth?: number | undefined
  readonly cwd?: string | undefined
  /** How many leading events the session shares with a session of another file. */
  readonly seedLength?: number | undefined
  /** The whole header, where the source has one of this log's form; its id can still be changed. */
  readonly header?: JsonRecord | undefined
  /** Unix epoch milliseconds. */
  readonly createdAt?: number | undefined
  /** The time of the first record that has one. */
  readonly startTime?: number | undefined
  includes(record: SourceRecord): boolean
  /** Begins the second reading. */
  open(writer: LogWriter): SessionReader
}

/** Where a session branches off another. */
export interface Fork {
  /** Key of the other one. */
  readonly from: string
  /** Ordinal of the first record that only the other one has. */
  readonly liveOnlyFrom: number
  /** Ordinal of the first record that only this one has. */
  readonly ownFrom: number
}

/** Writes the events of one session. */
export interface SessionReader {
  /** Reads the next record, all of it: what does not become an event of its own is kept. */
  take(record: SourceRecord): void
  /** Closes what is open. More records may follow. */
  settle(): void
  /** What the source calls records like this one, for the report. */
  kind(record: SourceRecord): string
}
