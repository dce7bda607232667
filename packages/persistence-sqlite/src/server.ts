import { setImmediate } from 'node:timers/promises'
import { SessionError } from '@dsh/session'
import { appendRecords } from './database/append.js'
import { createSession } from './database/create.js'
import { clearIndex, indexSlice, prepareIndex } from './database/index-records.js'
import { listSessions } from './database/list.js'
import { listFacts } from './database/list-facts.js'
import { forgetMirrored, listMirrored, mirrorRecords } from './database/mirror.js'
import { openToRead, openToWrite } from './database/open.js'
import { openDatabase } from './database/open-database.js'
import { readRecords } from './database/read.js'
import { openTolerant, readTolerant } from './database/read-tolerant.js'
import { removeSession, requireStored, restoreSession, trashSession } from './database/remove.js'
import { type SearchArguments, searchRecords } from './database/search-records.js'
import { isDamage } from './database/sqlite-error.js'
import type { Store } from './database/store.js'
import { imageOfError } from './error-image.js'
import type {
  Argument,
  OpenDatabaseArguments,
  OpenReport,
  OperationName,
  Reply,
  Request,
  TakePart,
} from './protocol.js'
import type { RecordBlock } from './record-block.js'
import { buffersOf } from './record-block.js'
import { parseQuery } from './search/query.js'
import { TextIndex } from './search/text-index.js'

type Handlers = { [Name in OperationName]: (argument: Argument<Name>, take: TakePart) => unknown }

/** Sends a reply, with the buffers that go over with it. */
export type SendReply = (reply: Reply, transfer: readonly ArrayBuffer[]) => void

/** The side of a database that works on it: carries out requests one after the other, and in between what takes long. */
export class Server {
  private readonly send: SendReply
  private store: Store | undefined
  private filling: Promise<void> | undefined

  constructor(send: SendReply) {
    this.send = send
  }

  async handle({ number, name, argument }: Request): Promise<void> {
    try {
      const value = await this.handlers[name](argument as never, part => this.send({ number, part }, []))
      const { block } = (value ?? {}) as { block?: RecordBlock }
      this.send({ number, value }, block ? buffersOf(block) : [])
    } catch (error) {
      this.send({ number, error: imageOfError(error) }, [])
    }
  }

  private readonly handlers: Handlers = {
    openDatabase: options => this.open(options),
    create: session => createSession(this.opened, session),
    find: session => requireStored(this.opened, session),
    openToRead: session => openToRead(this.opened, session),
    openToWrite: session => openToWrite(this.opened, session),
    append: batch => appendRecords(this.opened, batch),
    read: range => readRecords(this.opened, range),
    openTolerant: session => openTolerant(this.opened, session),
    readTolerant: range => readTolerant(this.opened, range),
    list: query => listSessions(this.opened, query),
    listFacts: (query, take) => listFacts(this.opened, query, take),
    remove: session => removeSession(this.opened, session),
    trash: session => trashSession(this.opened, session),
    restore: session => restoreSession(this.opened, session),
    search: query => this.search(query),
    rebuildSearch: () => {
      clearIndex(this.opened)
      return this.fillIndex()
    },
    mirrored: () => listMirrored(this.opened),
    mirror: records => mirrorRecords(this.opened, records),
    forget: session => forgetMirrored(this.opened, session),
    close: () => {
      this.store?.database.close()
      this.store = undefined
    },
  }

  private get opened(): Store {
    if (this.store) return this.store
    const details = { indeterminate: false }
    throw new SessionError('STORAGE_FAILED', { expected: 'an open database', found: 'one that was closed', details })
  }

  private open({ identity, ...options }: OpenDatabaseArguments): OpenReport {
    const database = openDatabase(options)
    const { file } = database
    const found = database.identity.name
    if (identity !== undefined && identity !== found) {
      database.close()
      throw new SessionError('OWNERSHIP_LOST', {
        expected: 'the database file that was opened before',
        found: 'another one in its place',
        file,
      })
    }
    this.store = { database, index: new TextIndex(database) }
    prepareIndex(this.store)
    // A search that finds the index wanting says why; until then nobody has asked.
    void this.fillIndex().catch(() => {})
    const { version } = database.get<{ version: string }>('SELECT sqlite_version() AS version')!
    return { file, identity: found, sqliteVersion: version }
  }

  private async search(query: SearchArguments): Promise<unknown> {
    parseQuery(query.query)
    try {
      await this.fillIndex()
      return searchRecords(this.opened, query)
    } catch (error) {
      if (!isDamage((error as Error).cause)) throw error
      clearIndex(this.opened)
      await this.fillIndex()
      return searchRecords(this.opened, query)
    }
  }

  /** Indexes what is missing, a little at a time. */
  private fillIndex(): Promise<void> {
    this.filling ??= (async () => {
      while (!indexSlice(this.opened)) await setImmediate()
    })().finally(() => {
      this.filling = undefined
    })
    return this.filling
  }
}
