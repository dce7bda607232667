import type { ListQuery, SearchPage } from '@dsh/persistence/driver'
import type { AppendArguments } from './database/append.js'
import type { CreateArguments } from './database/create.js'
import type { ListedSessions } from './database/list.js'
import type { ListedFacts } from './database/list-facts.js'
import type { MirrorArguments, Mirrored } from './database/mirror.js'
import type { OpenArguments, StoredHead } from './database/open.js'
import type { DatabaseOptions } from './database/open-database.js'
import type { ReadArguments, ReadPage } from './database/read.js'
import type { TolerantArguments, TolerantHead, TolerantPage } from './database/read-tolerant.js'
import type { FindArguments, RemoveArguments } from './database/remove.js'
import type { SearchArguments } from './database/search-records.js'
import type { ErrorImage } from './error-image.js'

/** What the thread of a database is asked for first. */
export interface OpenDatabaseArguments extends DatabaseOptions {
  /** The name of the file that was open before, if one was: another one must not take its place unnoticed. */
  readonly identity?: string | undefined
}

/** What is known of a database that was opened. */
export interface OpenReport {
  /** Its path without symbolic links. */
  readonly file: string
  readonly identity: string
  readonly sqliteVersion: string
}

/** The operations of a database, as its thread carries them out. */
export interface Operations {
  openDatabase(options: OpenDatabaseArguments): OpenReport
  create(session: CreateArguments): StoredHead
  find(session: FindArguments): void
  openToRead(session: OpenArguments): StoredHead
  openToWrite(session: OpenArguments): StoredHead
  append(batch: AppendArguments): number
  read(range: ReadArguments): ReadPage
  openTolerant(session: OpenArguments): TolerantHead
  readTolerant(range: TolerantArguments): TolerantPage
  list(query: ListQuery): ListedSessions
  /** Gives the sessions in parts. */
  listFacts(query: ListQuery): ListedFacts | undefined
  remove(session: FindArguments): void
  trash(session: RemoveArguments): void
  restore(session: RemoveArguments): void
  search(query: SearchArguments): SearchPage
  rebuildSearch(options: object): void
  mirrored(options: object): Mirrored[]
  mirror(records: MirrorArguments): number
  forget(session: OpenArguments): void
  close(options: object): void
}

export type OperationName = keyof Operations
export type Argument<Name extends OperationName> = Parameters<Operations[Name]>[0]
export type Result<Name extends OperationName> = ReturnType<Operations[Name]>

/** An operation that is asked for; `number` tells its reply from others. */
export interface Request<Name extends OperationName = OperationName> {
  readonly number: number
  readonly name: Name
  readonly argument: Argument<Name>
}

/** Takes a part of a result that is sent before the rest is known. */
export type TakePart = (part: string) => void

export type Reply =
  | { readonly number: number; readonly part: string }
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: ErrorImage }
