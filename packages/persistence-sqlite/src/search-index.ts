import { rm } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Driver, DriverHandle, ListEntry, SearchOptions, SearchPage, StoredRecord } from '@dsh/persistence/driver'
import { isSessionError, SessionError, type SessionHeader, type SessionId } from '@dsh/session'
import { Connection } from './connection.js'
import type { Mirrored } from './database/mirror.js'
import { roleOfType } from './database/searchable.js'
import { packRecords } from './record-block.js'
import type { StartHost } from './thread.js'
import { startThread } from './thread.js'

/** What a search index is told. */
export interface SearchIndexOptions {
  /** The file of the index; absolute. It may be deleted at any time while nobody uses it. */
  readonly file: string
}

const PAGE = 500
const MOST_ATTEMPTS = 20

/**
 * Full-text search for sessions that any driver stores: a database with copies of their texts, brought up to date before
 * each search, never asked for anything else, and replaced by a new one when it is damaged.
 */
export class SearchIndex {
  private readonly file: string
  private readonly start: StartHost
  private connection: Connection
  private refreshing: Promise<void> | undefined

  /** @throws INVALID_CONFIG */
  constructor({ file }: SearchIndexOptions, start: StartHost = startThread) {
    if (typeof file !== 'string' || !isAbsolute(file)) {
      throw new SessionError('INVALID_CONFIG', { expected: 'an absolute path', found: String(file), path: 'file' })
    }
    this.file = file
    this.start = start
    this.connection = this.connect()
  }

  /** As `Driver.search`, for what `driver` has stored. @throws as that, and as its `list` */
  search(driver: Driver, query: string, options: SearchOptions): Promise<SearchPage> {
    return this.unlessLost(async () => {
      this.refreshing ??= this.refresh(driver).finally(() => {
        this.refreshing = undefined
      })
      await this.refreshing
      return this.connection.call('search', { query, options })
    })
  }

  /** Begins anew. @throws STORAGE_FAILED, and as the driver's `list` */
  rebuild(driver: Driver): Promise<void> {
    return this.unlessLost(async () => {
      for (const { id } of await this.connection.call('mirrored', {})) await this.connection.call('forget', { id })
      await this.refresh(driver)
      await this.connection.call('rebuildSearch', {})
    })
  }

  close(): Promise<void> {
    return this.connection.close()
  }

  private connect(): Connection {
    // What is derived need not survive a power cut.
    return new Connection({ file: this.file, durability: 'none', busyTimeoutMs: 5_000, kind: 'index' }, this.start)
  }

  /** Does again with a new file what the old one could not do because it is damaged or gone. */
  private async unlessLost<T>(operation: () => Promise<T>): Promise<T> {
    const { connection } = this
    try {
      return await operation()
    } catch (error) {
      if (!isLost(error)) throw error
      // Of several that find out at once, one mends it.
      if (connection === this.connection) {
        this.connection = this.connect()
        await connection.close()
        if (!isSessionError(error, 'OWNERSHIP_LOST')) await this.deleteFiles()
      }
      return operation()
    }
  }

  private async deleteFiles(): Promise<void> {
    for (const suffix of ['', '-wal', '-shm']) await rm(this.file + suffix, { force: true })
  }

  private async refresh(driver: Driver): Promise<void> {
    const known = new Map((await this.connection.call('mirrored', {})).map(each => [each.id, each]))
    let cursor: string | undefined
    do {
      const page = await driver.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) })
      for (const entry of page.entries) {
        await this.follow(driver, entry, known.get(entry.id))
        known.delete(entry.id)
      }
      cursor = page.cursor
    } while (cursor !== undefined)
    for (const id of known.keys()) await this.connection.call('forget', { id })
  }

  /** Takes in what a session has more than the index. A broken one stays as it was indexed. */
  private async follow(driver: Driver, entry: ListEntry, known: Mirrored | undefined): Promise<void> {
    const { id, header, nextSeq } = entry
    if (header === undefined) return
    const isSame = known?.createdAt === header.createdAt && known.nextSeq <= nextSeq
    if (known && isSame && known.nextSeq === nextSeq) return
    if (known && !isSame) await this.connection.call('forget', { id })
    try {
      await this.copy(driver, id, header, known && isSame ? known.nextSeq : 0)
    } catch (error) {
      if (!isSessionError(error, 'SESSION_NOT_FOUND') && !isSessionError(error, 'SESSION_CORRUPT')) throw error
    }
  }

  private async copy(driver: Driver, id: SessionId, header: SessionHeader, from: number): Promise<void> {
    const handle = await driver.open(id, 'read')
    try {
      let at: number | undefined = from
      // Another process may be at it, too: then this one goes on where that one has got to.
      for (let attempt = 0; at !== undefined && attempt < MOST_ATTEMPTS; attempt++)
        at = await this.copyOn(handle, header, at)
    } finally {
      await handle.close()
    }
  }

  /** @returns where the index turned out to stand instead; undefined when it has everything */
  private async copyOn(handle: DriverHandle, header: SessionHeader, from: number): Promise<number | undefined> {
    let at = from
    const take = async (records: readonly StoredRecord[], to: number): Promise<boolean> => {
      const texts = records.filter(({ type, surface }) => surface && roleOfType(type) !== undefined)
      const blocks = texts.length === 0 ? [] : [packRecords(texts)]
      at = await this.connection.call('mirror', { header, from: at, to, blocks })
      return at === to
    }
    for await (const records of handle.read({ from, to: handle.nextSeq, filter: 'surface' })) {
      const last = records.at(-1)
      if (last && !(await take(records, last.seq + last.count))) return at
    }
    return (await take([], handle.nextSeq)) ? undefined : at
  }
}

function isLost(error: unknown): boolean {
  if (isSessionError(error, 'OWNERSHIP_LOST')) return true
  if (isSessionError(error, 'SESSION_CORRUPT')) return true
  const sqlite = isSessionError(error, 'STORAGE_FAILED') ? error.details.sqlite : undefined
  return sqlite === 'SQLITE_CORRUPT' || sqlite === 'SQLITE_NOTADB'
}
