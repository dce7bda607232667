import { dirname, join } from 'node:path'
import type { Locker, Ownership } from '@dsh/persistence/lock'
import { ensureDirectory, makeDirectories, removeTree } from './directories.js'
import type { FileSystem } from './fs.js'
import type { SessionPaths } from './layout.js'
import { LOCKS, STAGING, sessionPaths } from './layout.js'
import { isErrno } from './storage-error.js'

/** Whether what is written is synced. `none` is for tests: a power cut may take anything. */
export type Durability = 'fsync' | 'none'

/** The directory that holds all sessions, and how it is worked on. */
export class Root {
  readonly path: string
  readonly fs: FileSystem
  readonly durable: boolean
  private readonly locker: Locker
  /** Directories whose names may not be durable: the root, which a process that was stopped may have created, and more. */
  private readonly unsynced: Set<string>
  private swept: Promise<void> | undefined

  constructor(path: string, durability: Durability, fs: FileSystem, locker: Locker) {
    this.path = path
    this.fs = fs
    this.durable = durability === 'fsync'
    this.locker = locker
    this.unsynced = new Set([path])
  }

  paths(id: string): SessionPaths {
    return sessionPaths(this.path, id)
  }

  /** Creates the root if it is not there, and makes its name durable: what it holds is worth no more than that. */
  async ensure(): Promise<void> {
    await makeDirectories(this.fs, this.path, path => this.unsynced.add(path))
    for (const path of this.unsynced) {
      await this.syncDirectory(dirname(path)).catch(error => {
        // A root that was there before can lie in a directory that is closed to us.
        if (!isErrno(error, 'EACCES', 'EPERM')) throw error
      })
      this.unsynced.delete(path)
    }
  }

  /** Takes exclusive ownership of a session, stored or not. @throws SESSION_LOCKED, STORAGE_FAILED */
  async own(id: string, { lock } = this.paths(id)): Promise<Ownership> {
    await ensureDirectory(this.fs, this.path, LOCKS)
    return this.locker.acquire(lock, id)
  }

  /**
   * Where a session is put together before it is published, and taken apart after it was removed. It is the owner's, who
   * may find there what an earlier one left when it was stopped.
   */
  async stage(slug: string): Promise<string> {
    const staging = await ensureDirectory(this.fs, this.path, STAGING)
    this.swept ??= this.sweep(staging)
    await this.swept
    const path = join(staging, slug)
    await removeTree(this.fs, path)
    return path
  }

  async syncDirectory(path: string): Promise<void> {
    if (this.durable) await this.fs.syncDirectory(path)
  }

  /** Removes once what stopped processes left. A failure leaves it for another time. */
  private async sweep(staging: string): Promise<void> {
    for (const slug of await this.fs.readdir(staging).catch(() => [])) {
      const owner = await this.locker.acquire(join(this.path, LOCKS, slug), slug).catch(() => undefined)
      if (!owner) continue
      await removeTree(this.fs, join(staging, slug))
        .catch(() => {})
        .finally(() => owner.release())
    }
  }
}
