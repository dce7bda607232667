import type { SessionHeader, SessionId, StoredRow } from '@dsh/session'
import type { DriverManifest } from './manifest.js'

export * from './check-records.js'
export * from './describe.js'
export * from './last-activity.js'
export * from './manifest.js'
export * from './operations.js'
export * from './paging.js'

/** One stored line with the format version that wrote it. A driver stores `body` byte for byte. */
export interface StoredRecord extends StoredRow {
  readonly version: number
}

/** How a handle may use its session. `write` takes exclusive ownership; readers never need or disturb it. */
export type OpenMode = 'read' | 'write'

/** What opening a session found and did to it. */
export interface RecoveryReport {
  /** Whether unacknowledged bytes were cut from the end, or, by a reader, left out. */
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

/** Which records to read: `from` inclusive, `to` exclusive, both sequence numbers; clipped to what is stored. */
export interface ReadRange {
  readonly from?: number
  readonly to?: number
  /** Newest first: the batches, and the records within each. */
  readonly reverse?: boolean
  /** Only surface records. */
  readonly filter?: 'surface'
}

/** An open stored session. The base never has two operations of one handle in flight, except reads. */
export interface DriverHandle {
  readonly header: SessionHeader
  /** The sequence number after the last durable event, as of the opening and this handle's own appends. */
  readonly nextSeq: number
  /**
   * A verified checksum, or the integrity of a database, covers the records below this number, so that their payloads
   * are believed unread. Absent: all of them. Less where a torn tail was kept or a foreign file is read; on a reader it
   * can rise with what others store.
   */
  readonly trustedSeq?: number | undefined
  /** Absent when the session was found intact. */
  readonly recovery?: RecoveryReport | undefined
  /**
   * Stores a batch, whole or not at all; resolves only when it is durable. After a failure the same batch comes again,
   * and nothing that the failed attempt left behind may survive beside it.
   *
   * `indeterminate` is for a storage that answers durably afterwards what it holds, such as a database whose connection
   * broke at the commit. A file whose sync failed is not: its cached bytes prove nothing, so they are cut and written
   * again.
   * @throws SEQ_CONFLICT `{ expectedSeq, currentSeq }`, OWNERSHIP_LOST, STORAGE_FAILED `{ indeterminate: boolean }`
   */
  append(expectedSeq: number, records: readonly StoredRecord[]): Promise<void>
  /**
   * Yields batches of verified, durable records that overlap the range, up to the end as it was at the call; on a reader
   * that end moves with what others store. A packed record that straddles `from` or `to` comes whole. Batches are small
   * enough (a megabyte or so) that a consumer can stay responsive between them.
   * @throws SESSION_CORRUPT, STORAGE_FAILED; the signal's reason when it aborts
   */
  read(range: ReadRange, signal?: AbortSignal): AsyncIterable<readonly StoredRecord[]>
  /** Releases the session; idempotent. */
  close(): Promise<void>
}

/** Which sessions to list. Ordered by `(lastTime, id)`; `cursor` comes from an earlier page of the same query. */
export interface ListQuery {
  readonly cwd?: string
  readonly parent?: SessionId
  readonly limit?: number
  readonly cursor?: string
  /** Default `'newest'`. */
  readonly order?: 'newest' | 'oldest'
  /** The sessions in the trash in place of the others; with the capability `trash`. */
  readonly trashed?: boolean
  /** Asks for {@link ListEntry.records}. A driver that would have to open each session for them leaves it at that. */
  readonly withRecords?: boolean
}

/** One stored session in a list. */
export interface ListEntry {
  /** Where the header cannot be read, whatever else the storage finds the session by: the operations of the driver take it. */
  readonly id: SessionId
  /** Absent when the header itself cannot be read. */
  readonly header?: SessionHeader
  readonly nextSeq: number
  /** As {@link lastActivity} tells of the last stored event; Unix epoch milliseconds. */
  readonly lastTime: number
  /** `unfinished`: the tail is torn, or a turn is open where the driver can tell cheaply. */
  readonly state: 'ok' | 'unfinished' | 'corrupt'
  /** Why the session is corrupt. */
  readonly error?: Error
  /** Bytes in storage, where the backend knows. */
  readonly bytes?: number
  /** All records, verified, of a small session, if the query asks for them. */
  readonly records?: readonly StoredRecord[]
}

/** One page of a list. */
export interface ListPage {
  readonly entries: readonly ListEntry[]
  /** Present when more follow. */
  readonly cursor?: string
}

/** One step of a tolerant read, in the order of the storage. */
export type TolerantItem =
  | { readonly kind: 'records'; readonly records: readonly StoredRecord[] }
  /** Bytes that make no record. Which events are lost shows in the sequence numbers around them. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly byte?: number; readonly bytes?: number }

/** A damaged session as far as it can be read. */
export interface TolerantRead {
  /** Absent when the header itself cannot be read. */
  readonly header?: SessionHeader
  readonly items: AsyncIterable<TolerantItem>
}

/** Whose words a text holds: a person's or a plugin's, the model's, or those of a tool's answer. */
export type SearchRole = 'user' | 'assistant' | 'tool'

/** What a search is narrowed to. */
export interface SearchOptions {
  readonly limit?: number
  /** From an earlier page of the same search. */
  readonly cursor?: string
  readonly cwd?: string
  readonly role?: SearchRole
}

/** One event that a search found. */
export interface SearchHit {
  readonly id: SessionId
  readonly seq: number
  readonly time: number
  readonly role: SearchRole
  readonly snippet: string
  /** Where the terms lie in `snippet`: start and length in UTF-16 code units. */
  readonly matches: readonly (readonly [start: number, length: number])[]
}

/** One page of search results, best first. */
export interface SearchPage {
  readonly hits: readonly SearchHit[]
  /** Present when more follow. */
  readonly cursor?: string
}

/** What a removal is of. */
export interface RemoveOptions {
  /** Every session of the id that the trash holds, in place of the stored one; with the capability `trash`. */
  readonly trashed?: boolean
}

/** A storage backend: five operations over records, and what its manifest declares beyond them. */
export interface Driver {
  /**
   * Publishes header and first batch together or not at all, and owns the session afterwards. The batch starts at 0 and
   * may be empty. A creation that fails owns nothing, even where its outcome is unknown.
   * @throws SESSION_ALREADY_EXISTS, SESSION_LOCKED, STORAGE_FAILED `{ indeterminate: boolean }`
   */
  create(header: SessionHeader, records: readonly StoredRecord[]): Promise<DriverHandle>
  /**
   * Opens a stored session. A strict open: damage other than a torn tail is refused and changes no byte.
   * @throws SESSION_NOT_FOUND, SESSION_LOCKED, SESSION_CORRUPT, FORMAT_UNSUPPORTED, STORAGE_FAILED
   */
  open(id: SessionId, mode: OpenMode): Promise<DriverHandle>
  /** A broken session is an entry with its state and hides no other. @throws STORAGE_FAILED */
  list(query: ListQuery): Promise<ListPage>
  /**
   * Removes a session and all its residue. Of the trash, several that had one id go one after the other, each as a whole;
   * one that somebody writes keeps those from being removed, too.
   * @throws SESSION_NOT_FOUND, SESSION_LOCKED, STORAGE_FAILED
   */
  remove(id: SessionId, options?: RemoveOptions): Promise<void>
  /** Releases everything, open handles too; idempotent. */
  close(): Promise<void>

  /**
   * Capability `search`: the texts of users, models and tools that fit a query.
   * @throws INVALID_CONFIG for a query that is no query, INVALID_BOUNDARY for a limit or a cursor that is none
   */
  search?(query: string, options: SearchOptions): Promise<SearchPage>
  /** Capability `search`. Derives the index of the texts from the stored sessions anew. @throws STORAGE_FAILED */
  rebuildSearch?(): Promise<void>
  /** Capability `changeNotice`. Calls `changed` after events of `id` were stored, possibly too often; returns the end of it. */
  observe?(id: SessionId, changed: () => void): () => void
  /** Capability `trash`. The trash keeps every session that had an id. @throws as `remove` */
  trash?(id: SessionId): Promise<void>
  /** Capability `trash`. Of several that had the id, the last one comes back. @throws SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, SESSION_LOCKED, STORAGE_FAILED */
  restore?(id: SessionId): Promise<void>
  /**
   * Capability `forkByReference`. Like `create` with the first `header.seedLength` events of `source`, which a removal
   * of `source` leaves intact.
   */
  fork?(source: SessionId, header: SessionHeader): Promise<DriverHandle>
  /** Capability `tolerantRead`. Needs no ownership and changes nothing. @throws SESSION_NOT_FOUND, STORAGE_FAILED */
  readTolerant?(id: SessionId): Promise<TolerantRead>
  /** Capability `rawArtifact`. A pure function of the header: a path or URL, whether or not anything is there yet. */
  locate?(header: SessionHeader): string
  /** Capability `existence`. Answers at once whether `id` is stored, trash left aside. @throws STORAGE_FAILED */
  exists?(id: SessionId): boolean
}

/** What a backend plugin gives to the base. */
export interface Backend {
  readonly manifest: DriverManifest
  /** Opens the storage. A rejection fails the plugin, so that a bad root is told at once. */
  connect(): Driver | Promise<Driver>
}
