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
    await createFile(files, path)
    const { ino, dev } = await files.lstat(path)
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
        const stat = await files.lstat(path).catch(() => undefined)
        return stat?.ino === ino && stat.dev === dev
      },
      release: async () => database.close(),
    }
  }
}

async function createFile(files: LockFiles, path: string): Promise<void> {
  try {
    await files.close(await files.open(path, 'create'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
