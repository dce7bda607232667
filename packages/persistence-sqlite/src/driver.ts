import { pathToFileURL } from 'node:url'
import type {
  Driver,
  DriverHandle,
  ListPage,
  ListQuery,
  OpenMode,
  RemoveOptions,
  SearchOptions,
  SearchPage,
  StoredRecord,
  TolerantRead,
} from '@dsh/persistence/driver'
import { checkRecords, defineManifest, Operations } from '@dsh/persistence/driver'
import type { Locker, Ownership } from '@dsh/persistence/lock'
import { createLocker } from '@dsh/persistence/lock'
import type { SessionHeader, SessionId } from '@dsh/session'
import { Connection } from './connection.js'
import type { DatabaseOptions } from './database/open-database.js'
import { listEntries } from './list-entries.js'
import { LockDirectory } from './lock-directory.js'
import { Lookup } from './lookup.js'
import type { SqliteDriverOptions } from './options.js'
import { resolveDriverOptions } from './options.js'
import { packSlowly } from './pack-slowly.js'
import type { OpenReport } from './protocol.js'
import { ReadHandle } from './read-handle.js'
import { readTolerantly } from './read-tolerantly.js'
import { buffersOf } from './record-block.js'
import type { StartHost } from './thread.js'
import { startThread } from './thread.js'
import { warnOnce } from './version-warning.js'
import { WriteHandle } from './write-handle.js'

/** What the driver works with; for tests that stand in for it. */
export interface SqliteSystem {
  readonly start: StartHost
  readonly locker: Locker
}

export const sqliteManifest = defineManifest('sqlite', 'existence', 'rawArtifact', 'search', 'tolerantRead', 'trash')

/** Stores all sessions in one SQLite database, which lives in a thread of its own; `docs/sqlite.md` describes the tables. */
export class SqliteDriver implements Driver {
  private readonly options: DatabaseOptions
  private readonly connection: Connection
  private readonly locker: Locker
  private readonly lookup: Lookup
  private readonly writers = new Set<DriverHandle>()
  private readonly operations: Operations
  private locks: LockDirectory | undefined

  /** @throws INVALID_CONFIG */
  constructor(options: SqliteDriverOptions, { start, locker }: SqliteSystem = realSystem()) {
    this.options = resolveDriverOptions(options)
    this.operations = new Operations({ file: this.options.file })
    this.connection = new Connection(this.options, start)
    this.locker = locker
    this.lookup = new Lookup(this.options.file)
  }

  /**
   * Opens the database, so that one that cannot be used is told at once.
   * @throws STORAGE_FAILED; FORMAT_UNSUPPORTED when a newer release wrote it
   */
  async connect(): Promise<OpenReport> {
    const opening = this.operations.run(() => this.connection.open())
    // This thread has nothing else to do meanwhile.
    this.locker.prepare?.()
    const report = await opening
    warnOnce(report.sqliteVersion)
    return report
  }

  create(header: SessionHeader, records: readonly StoredRecord[]): Promise<DriverHandle> {
    return this.operations.run(async () => {
      checkRecords(records, 0, header.id)
      const blocks = await packSlowly(records)
      return this.own(header.id, async owner => {
        const head = await this.connection.call('create', { header, blocks }, { transfer: blocks.flatMap(buffersOf) })
        return this.writer({ ...head, header }, owner)
      })
    })
  }

  open(id: SessionId, mode: OpenMode): Promise<DriverHandle> {
    return this.operations.run(async () => {
      if (mode === 'read') return new ReadHandle(this.connection, await this.connection.call('openToRead', { id }))
      // Asking for a session that is not stored leaves no lock file behind.
      await this.connection.call('find', { id, trashed: false })
      return this.own(id, async owner => this.writer(await this.connection.call('openToWrite', { id }), owner))
    })
  }

  list(query: ListQuery): Promise<ListPage> {
    return this.operations.run(() => listEntries(this.connection, query))
  }

  remove(id: SessionId, { trashed = false }: RemoveOptions = {}): Promise<void> {
    return this.operations.run(() => this.owned(id, 'remove', trashed))
  }

  trash(id: SessionId): Promise<void> {
    return this.operations.run(() => this.owned(id, 'trash', false))
  }

  restore(id: SessionId): Promise<void> {
    return this.operations.run(() => this.owned(id, 'restore', true))
  }

  search(query: string, options: SearchOptions): Promise<SearchPage> {
    return this.operations.run(() => this.connection.call('search', { query, options }))
  }

  rebuildSearch(): Promise<void> {
    return this.operations.run(() => this.connection.call('rebuildSearch', {}))
  }

  readTolerant(id: SessionId): Promise<TolerantRead> {
    return this.operations.run(() => readTolerantly(this.connection, id))
  }

  /** The database, and in it the id as the headers have it. */
  locate({ id }: SessionHeader): string {
    return `${pathToFileURL(this.options.file)}#${encodeURIComponent(JSON.stringify(id))}`
  }

  exists(id: SessionId): boolean {
    return this.lookup.has(id)
  }

  /** Waits for what is under way, then closes every handle and the database. */
  close(): Promise<void> {
    return this.operations.close(async () => {
      for (const handle of this.writers) await handle.close()
      // The last connection that closes tidies up, which this one cannot.
      this.lookup.close()
      await this.connection.close()
    })
  }

  private writer(head: ConstructorParameters<typeof WriteHandle>[1], owner: Ownership): DriverHandle {
    const handle = new WriteHandle(this.connection, head, owner, closed => this.writers.delete(closed))
    this.writers.add(handle)
    return handle
  }

  /** Runs `operation` as the owner of a session, which its handle then is. */
  private async own<T>(id: SessionId, operation: (owner: Ownership) => Promise<T>): Promise<T> {
    const { file } = await this.connection.open()
    this.locks ??= new LockDirectory(file, this.locker)
    const owner = await this.locks.own(id)
    try {
      return await operation(owner)
    } catch (error) {
      await owner.release()
      throw error
    }
  }

  /** @param trashed whether what is to be moved or removed is in the trash */
  private async owned(id: SessionId, operation: 'remove' | 'trash' | 'restore', trashed: boolean): Promise<void> {
    await this.connection.call('find', { id, trashed })
    await this.own(id, async owner => {
      await this.connection.call(operation, { id, trashed })
      await owner.release()
    })
  }
}

function realSystem(): SqliteSystem {
  return { start: startThread, locker: createLocker() }
}
