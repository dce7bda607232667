import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locker, Ownership } from '@dsh/persistence/lock'
import { sessionSlug } from '@dsh/persistence/lock'
import { isSessionError, SessionError } from '@dsh/session'

/** The lock files of a database, in a directory beside it: one for each session that was ever written, never removed. */
export class LockDirectory {
  private readonly path: string
  private readonly locker: Locker

  /** @param file the database, without symbolic links, so that all who open it agree */
  constructor(file: string, locker: Locker) {
    this.path = `${file}.locks`
    this.locker = locker
  }

  /** Takes exclusive ownership of a session, stored or not. @throws SESSION_LOCKED naming the holder, STORAGE_FAILED */
  async own(session: string): Promise<Ownership> {
    const file = join(this.path, sessionSlug(session))
    try {
      return await this.locker.acquire(file, session)
    } catch (error) {
      if (!isSessionError(error) || error.details.errno !== 'ENOENT') throw error
      await this.make(session)
      return this.locker.acquire(file, session)
    }
  }

  private async make(session: string): Promise<void> {
    try {
      await mkdir(this.path, { recursive: true, mode: 0o700 })
    } catch (cause) {
      const found = (cause as Error).message
      const place = { file: this.path, session, details: { indeterminate: false }, cause }
      throw new SessionError('STORAGE_FAILED', { expected: 'to create the directory of the locks', found, ...place })
    }
  }
}
