import { createRequire } from 'node:module'
import type { LockFile } from './lock-file.js'
import type { LockFiles } from './lock-files.js'

const SQLITE_BUSY = 5

/**
 * Locks by an exclusive transaction of SQLite, which runs wherever Node does. Such a lock belongs to the process and
 * falls when any descriptor of the file is closed in it, so the file is opened once, to create it, and by SQLite alone
 * ever after.
 */
export function sqliteLock(files: LockFiles): LockFile {
  return async path => {
    createFile(files, path)
    const { ino, dev } = files.lstat(path)
    // Loaded when needed: some versions of Node warn that it is experimental.
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
    const database = new DatabaseSync(path)
    try {
      database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined
      throw error
    }
    return {
      claim: async () => true,
      async isHeld() {
        try {
          const stat = files.lstat(path)
          return stat.ino === ino && stat.dev === dev
        } catch {
          return false
        }
      },
      release: async () => database.close(),
    }
  }
}

function createFile(files: LockFiles, path: string): void {
  try {
    files.close(files.open(path, 'create'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
