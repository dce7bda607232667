import type { TranscriptFormat } from './format.js'
import type { SessionRole } from './readers/reader.js'

/** What is known of a session when it gets its id. */
export interface SessionOrigin {
  readonly format: TranscriptFormat
  /** `parent` stands for a session that another file holds. */
  readonly role: SessionRole | 'parent'
  /** What the source calls the session, if anything. */
  readonly sourceId?: string
  /** Tells the sessions of one file apart, for instance `branch-1`. */
  readonly key: string
}

/** How a transcript is imported. */
export interface ImportOptions {
  /** The format, where content should not decide. */
  readonly format?: TranscriptFormat
  /** Provider of answers whose source names none; default `unknown`. */
  readonly provider?: string
  /** Model of answers whose source names none; default `unknown`. */
  readonly model?: string
  /** Unix epoch milliseconds of sessions without any time; default 0. */
  readonly time?: number
  /**
   * Gives a session its id. Default: what the source calls it, or a random id; for branches, and for sub-agents without a
   * name, that of the live session with the key behind it.
   */
  readonly sessionId?: (origin: SessionOrigin) => string
  /** Bytes of the longest line that is read as a record; default 64 MiB. */
  readonly maxRecordBytes?: number
  /** Bytes of the longest file that is one JSON document; default 256 MiB. */
  readonly maxDocumentBytes?: number
}
