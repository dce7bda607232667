import { SessionError } from '@dsh/session'
import type { FileSystem } from './fs.js'
import { readHolder, removeHolder, writeHolder } from './holder.js'
import type { LockFile } from './lock-file.js'
import { loadNativeExtensions, nativeLock } from './native-lock.js'
import type { Locker } from './ownership.js'
import { sqliteLock } from './sqlite-lock.js'
import { storageFailed } from './storage-error.js'

/** The lock files that this process has. The SQLite lock would not tell two of its writers apart everywhere. */
const held = new Set<string>()

/** Gives out ownership by the native lock, or by SQLite where that has no build. */
export function createLocker(fs: FileSystem, lockFile: LockFile = defaultLockFile(fs)): Locker {
  return {
    async acquire(path, session) {
      if (held.has(path)) throw await locked(fs, path, session)
      held.add(path)
      try {
        const lock = await lockFile(path)
        if (!lock) throw await locked(fs, path, session)
        await writeHolder(fs, path)
        let released: Promise<void> | undefined
        return {
          async claim(log) {
            if (!(await lock.claim(log))) throw await locked(fs, path, session)
          },
          isHeld: () => lock.isHeld(),
          release() {
            released ??= removeHolder(fs, path)
              .then(() => lock.release())
              .finally(() => held.delete(path))
            return released
          },
        }
      } catch (error) {
        held.delete(path)
        throw storageFailed('lock the session', error, { file: path, session })
      }
    },
  }
}

let native: ReturnType<typeof loadNativeExtensions> | null = null

function defaultLockFile(fs: FileSystem): LockFile {
  native = native === null ? loadNativeExtensions() : native
  return native ? nativeLock(fs, native) : sqliteLock(fs)
}

async function locked(fs: FileSystem, path: string, session: string): Promise<SessionError> {
  const holder = await readHolder(fs, path)
  const found = holder
    ? `process ${holder.pid} on ${holder.host} writing it since ${new Date(holder.since).toISOString()}`
    : 'another writer'
  return new SessionError('SESSION_LOCKED', {
    expected: 'a session that nobody writes',
    found,
    session,
    file: path,
    details: holder ? { holder } : {},
  })
}
