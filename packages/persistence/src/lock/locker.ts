import { isSessionError, SessionError } from '@dsh/session'
import type { Holder } from './holder.js'
import { readHolder, removeHolder, writeHolder } from './holder.js'
import type { LockFile } from './lock-file.js'
import type { LockFiles } from './lock-files.js'
import { nodeLockFiles } from './lock-files.js'
import { loadTryLock, nativeLock } from './native-lock.js'
import type { Locker } from './ownership.js'
import { sqliteLock } from './sqlite-lock.js'

/** The lock files that this process has. The SQLite lock would not tell two of its writers apart everywhere. */
const held = new Set<string>()

/** Gives out ownership by the native lock, or by SQLite where that has no build. */
export function createLocker(files: LockFiles = nodeLockFiles, lockFile: LockFile = defaultLockFile(files)): Locker {
  return {
    prepare() {
      loadNative()
    },
    async acquire(path, session) {
      if (held.has(path)) throw locked(readHolder(files, path), path, session)
      held.add(path)
      try {
        const lock = await lockFile(path)
        if (!lock) throw locked(readHolder(files, path), path, session)
        writeHolder(files, path)
        let released: Promise<void> | undefined
        return {
          async claim(file) {
            // The note is ours: whoever has the file lost the lock beside it.
            if (!(await lock.claim(file))) throw locked(undefined, path, session)
          },
          isHeld: () => lock.isHeld(),
          release() {
            if (released) return released
            removeHolder(files, path)
            released = lock.release().finally(() => held.delete(path))
            return released
          },
        }
      } catch (error) {
        held.delete(path)
        throw lockFailed(error, path, session)
      }
    },
  }
}

let loading: ReturnType<typeof loadTryLock> | undefined

function loadNative(): ReturnType<typeof loadTryLock> {
  loading ??= loadTryLock()
  return loading
}

function defaultLockFile(files: LockFiles): LockFile {
  return async path => {
    const tryLock = await loadNative()
    return tryLock === undefined ? sqliteLock(files)(path) : nativeLock(files, tryLock)(path)
  }
}

function locked(holder: Holder | undefined, path: string, session: string): SessionError {
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

function lockFailed(cause: unknown, file: string, session: string): unknown {
  if (isSessionError(cause)) return cause
  const { code } = cause as NodeJS.ErrnoException
  return new SessionError('STORAGE_FAILED', {
    expected: 'to lock the session',
    found: cause instanceof Error ? cause.message : String(cause),
    file,
    session,
    details: { indeterminate: false, ...(code !== undefined && { errno: code }) },
    cause,
  })
}
