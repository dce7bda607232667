import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SessionError } from '@dsh/session'

/**
 * Creates the file, empty and for its owner only, and the directories above it, where they are missing.
 * @returns its path without symbolic links
 * @throws STORAGE_FAILED when it is a directory, and what the file system throws
 */
export function createFile(file: string): string {
  const directory = dirname(file)
  const firstMade = mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
    if (firstMade !== undefined) syncBetween(directory, dirname(firstMade))
  } catch (error) {
    refuseDirectory(file)
    // An existing database is not opened here: closing it would drop the locks that this process has on it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return realpathSync(file)
}

/** SQLite would call it an error of the disk. */
function refuseDirectory(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  const details = { indeterminate: false }
  throw new SessionError('STORAGE_FAILED', { expected: 'a file', found: 'a directory', file, details })
}

/** Makes the names of created directories durable. SQLite does it for the names in the last of them. */
function syncBetween(directory: string, top: string): void {
  // Windows opens no directory as a file; it makes names durable by itself.
  if (process.platform === 'win32') return
  for (let path = directory; ; path = dirname(path)) {
    const fd = openSync(path, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    if (path === top || path === dirname(path)) return
  }
}
