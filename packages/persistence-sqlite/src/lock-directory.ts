import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locker, Ownership } from '@dsh/persistence/lock'
import { sessionSlug } from '@dsh/persistence/lock'
import { SessionError } from '@dsh/session'

/** The lock files of a database, in a directory beside it: one for each session that was ever written, never removed. */
export class LockDirectory {
  private readonly path: string
  private readonly locker: Locker
  private made: Promise<unknown> | undefined

  /** @param file the database, without symbolic links, so that all who open it agree */
  constructor(file: string, locker: Locker) {
    this.path = `${file}.locks`
    this.locker = locker
  }

  /** Takes exclusive ownership of a session, stored or not. @throws SESSION_LOCKED naming the holder, STORAGE_FAILED */
  async own(session: string): Promise<Ownership> {
    this.made ??= mkdir(this.path, { recursive: true, mode: 0o700 })
    try {
      await this.made
    } catch (cause) {
      this.made = undefined
      const found = (cause as Error).message
      const place = { file: this.path, session, details: { indeterminate: false }, cause }
      throw new SessionError('STORAGE_FAILED', { expected: 'to create the directory of the locks', found, ...place })
    }
    return this.locker.acquire(join(this.path, sessionSlug(session)), session)
  }
}
