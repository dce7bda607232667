import { join, resolve } from 'node:path'
import type {
  Driver,
  DriverHandle,
  ListPage,
  ListQuery,
  OpenMode,
  RemoveOptions,
  StoredRecord,
  TolerantRead,
} from '@dsh/persistence/driver'
import { defineManifest, Operations } from '@dsh/persistence/driver'
import type { Locker, Ownership } from '@dsh/persistence/lock'
import { createLocker } from '@dsh/persistence/lock'
import type { SessionHeader, SessionId } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import { checkOptions } from '@dsh/session/config'
import { existsNow } from './directories.js'
import { whyListedByName } from './find-session.js'
import type { FileSystem } from './fs.js'
import { partName, TRASH } from './layout.js'
import { listSessions } from './list.js'
import { nodeFileSystem } from './node-fs.js'
import { openReader, openWriter } from './open-session.js'
import { driverOptions } from './options.js'
import { lookForStored } from './owned.js'
import { checkSession, publish } from './publish.js'
import { removeSession, removeTrashed } from './remove.js'
import type { Durability } from './root.js'
import { Root } from './root.js'
import { notFound, outcomeUnknown, storageFailed } from './storage-error.js'
import { readTolerant } from './tolerant.js'
import { restoreSession, trashSession } from './trash.js'

/** What the driver is told. */
export interface JsonlDriverOptions {
  /** The directory that holds all sessions; absolute. Created when it is first needed. */
  readonly root: string
  /** Default `fsync`. With `none` a power cut may take anything: for tests only. */
  readonly durability?: Durability
}

/** What the driver works on; for tests that fail it. */
export interface JsonlSystem {
  readonly fs: FileSystem
  readonly locker: Locker
}

export const jsonlManifest = defineManifest('jsonl', 'existence', 'rawArtifact', 'tolerantRead', 'trash')

/** Stores each session as a log of JSON lines in a directory of its own; `docs/format.md` describes the files. */
export class JsonlDriver implements Driver {
  private readonly root: Root
  private readonly handles = new Set<DriverHandle>()
  private readonly operations: Operations

  /** @throws INVALID_CONFIG */
  constructor(options: JsonlDriverOptions, system: JsonlSystem = realSystem()) {
    checkOptions(driverOptions, options)
    const { root, durability = 'fsync' } = options
    this.root = new Root(resolve(root), durability, system.fs, system.locker)
    this.operations = new Operations({ file: this.root.path })
  }

  /** Creates the root, or finds that it can be read, so that a bad one is told at once. @throws STORAGE_FAILED */
  connect(): Promise<void> {
    return this.operations.run(async () => {
      const { path, fs } = this.root
      try {
        await this.root.ensure()
        await fs.readdir(path)
      } catch (error) {
        throw storageFailed('use the root directory', error, { file: path })
      }
    })
  }

  create(header: SessionHeader, records: readonly StoredRecord[]): Promise<DriverHandle> {
    return this.operations.run(async () => {
      checkSession(header, records)
      await this.ensureRoot()
      return this.own(header.id, async owner => {
        await publish(this.root, header, records)
        const handle = await openWriter(this.root, header.id, owner, true, this.forget).catch(error => {
          // It is stored, and the caller has to find that out.
          throw outcomeUnknown('open the session once it was published', error, {
            file: this.locate(header),
            session: header.id,
          })
        })
        return this.track(handle)
      })
    })
  }

  open(id: SessionId, mode: OpenMode): Promise<DriverHandle> {
    return this.operations.run(() =>
      this.openStored(id, mode).catch(async error => {
        if (!isSessionError(error, 'SESSION_NOT_FOUND')) throw error
        const { fs, path } = this.root
        throw (await whyListedByName(fs, path, id)) ?? error
      }),
    )
  }

  list(query: ListQuery): Promise<ListPage> {
    const { fs, path } = this.root
    return this.operations.run(() => listSessions(fs, query.trashed ? join(path, TRASH) : path, query))
  }

  remove(id: SessionId, { trashed }: RemoveOptions = {}): Promise<void> {
    return this.operations.run(() => (trashed ? removeTrashed : removeSession)(this.root, id))
  }

  trash(id: SessionId): Promise<void> {
    return this.operations.run(() => trashSession(this.root, id))
  }

  restore(id: SessionId): Promise<void> {
    return this.operations.run(() => restoreSession(this.root, id))
  }

  readTolerant(id: SessionId): Promise<TolerantRead> {
    return this.operations.run(async () => {
      const { directory } = await lookForStored(this.root, id)
      return readTolerant(this.root.fs, directory, id)
    })
  }

  locate(header: SessionHeader): string {
    return join(this.root.paths(header.id).directory, partName(0))
  }

  /** @throws STORAGE_FAILED */
  exists(id: SessionId): boolean {
    return existsNow(this.root.fs, this.root.paths(id).directory, id)
  }

  /** Waits for what is under way, then closes every handle. */
  close(): Promise<void> {
    return this.operations.close(async () => {
      for (const handle of this.handles) await handle.close()
    })
  }

  private readonly forget = (handle: DriverHandle): void => {
    this.handles.delete(handle)
  }

  private track(handle: DriverHandle): DriverHandle {
    this.handles.add(handle)
    return handle
  }

  private async openStored(id: SessionId, mode: OpenMode): Promise<DriverHandle> {
    if (mode === 'read') return this.track(await openReader(this.root, id, this.forget))
    // Asking for a session that is not stored leaves no lock file behind.
    if (!this.exists(id)) throw notFound(this.root.paths(id).directory, id)
    return this.own(id, async owner => this.track(await openWriter(this.root, id, owner, false, this.forget)))
  }

  private async ensureRoot(): Promise<void> {
    await this.root.ensure().catch(error => {
      throw storageFailed('create the root directory', error, { file: this.root.path })
    })
  }

  /** Runs `operation` as the owner of a session, whom the handle that it makes replaces. */
  private async own<T>(id: SessionId, operation: (owner: Ownership) => Promise<T>): Promise<T> {
    const owner = await this.root.own(id).catch(error => {
      throw storageFailed('lock the session', error, { file: this.root.path, session: id })
    })
    try {
      return await operation(owner)
    } catch (error) {
      await owner.release()
      throw error
    }
  }
}

function realSystem(): JsonlSystem {
  return { fs: nodeFileSystem, locker: createLocker() }
}
