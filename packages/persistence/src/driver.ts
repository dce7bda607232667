import type { SessionHeader, SessionId, StoredRow } from '@dsh/session'

/** One stored line with the format version that wrote it. A driver stores `body` byte for byte. */
export interface StoredRecord extends StoredRow {
  readonly version: number
}

/** How a handle may use its session. `write` takes exclusive ownership. */
export type OpenMode = 'read' | 'write'

/** What opening a session found and did to it. */
export interface RecoveryReport {
  /** Whether unacknowledged bytes were cut from the end. */
  readonly torn: boolean
  /** Bytes that were cut. */
  readonly cutBytes: number
  /** Events kept although no commit covered them. */
  readonly keptEvents: number
  /** What was skipped, in words, one entry a finding. */
  readonly notes: readonly string[]
  /** Where the cut bytes were saved, when they held a complete line. */
  readonly savedTo?: string
}

/** Which records to read: `from` inclusive, `to` exclusive, both sequence numbers. */
export interface ReadRange {
  readonly from?: number
  readonly to?: number
  /** Newest first. */
  readonly reverse?: boolean
  /** Only surface records. */
  readonly filter?: 'surface'
}

/** An open stored session. */
export interface DriverHandle {
  readonly header: SessionHeader
  /** The sequence number after the last durable event. */
  readonly nextSeq: number
  /** Absent when the session was found intact. */
  readonly recovery?: RecoveryReport
  /**
   * Stores a batch; resolves only when it is durable.
   * @throws SEQ_CONFLICT `{ expectedSeq, currentSeq }`, OWNERSHIP_LOST, STORAGE_FAILED `{ indeterminate: boolean }`
   */
  append(expectedSeq: number, records: readonly StoredRecord[]): Promise<void>
  /**
   * Yields batches of verified records up to the end as it was at the call. A packed record that straddles `from` comes
   * whole.
   */
  read(range: ReadRange, signal?: AbortSignal): AsyncIterable<readonly StoredRecord[]>
  /** Releases the session; idempotent. */
  close(): Promise<void>
}

/** Which sessions to list. Ordered by `(lastTime, id)`; `cursor` comes from an earlier page. */
export interface ListQuery {
  readonly cwd?: string
  readonly parent?: SessionId
  readonly limit?: number
  readonly cursor?: string
  /** Default `'newest'`. */
  readonly order?: 'newest' | 'oldest'
}

/** One stored session in a list. */
export interface ListEntry {
  readonly id: SessionId
  /** Absent when the header itself cannot be read. */
  readonly header?: SessionHeader
  readonly nextSeq: number
  /** Time of the last stored event, or of the creation; Unix epoch milliseconds. */
  readonly lastTime: number
  /** `unfinished`: the tail is torn or a turn is open. */
  readonly state: 'ok' | 'unfinished' | 'corrupt'
  /** Why the session is corrupt. */
  readonly error?: Error
  /** Bytes in storage, where the backend knows. */
  readonly bytes?: number
}

/** One page of a list. */
export interface ListPage {
  readonly entries: readonly ListEntry[]
  /** Present when more follow. */
  readonly cursor?: string
}

/** A storage backend: five operations over records. */
export interface Driver {
  /**
   * Publishes header and first batch together or not at all, and owns the session afterwards.
   * @throws SESSION_ALREADY_EXISTS, SESSION_LOCKED, STORAGE_FAILED
   */
  create(header: SessionHeader, records: readonly StoredRecord[]): Promise<DriverHandle>
  /**
   * Opens a stored session.
   * @throws SESSION_NOT_FOUND, SESSION_LOCKED, SESSION_CORRUPT, FORMAT_UNSUPPORTED, STORAGE_FAILED
   */
  open(id: SessionId, mode: OpenMode): Promise<DriverHandle>
  list(query: ListQuery): Promise<ListPage>
  /** Removes a session and all its residue. @throws SESSION_NOT_FOUND, SESSION_LOCKED, STORAGE_FAILED */
  remove(id: SessionId): Promise<void>
  /** Releases everything; idempotent. */
  close(): Promise<void>
}
