import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the file, empty and for its owner only, and the directories above it, where they are missing.
 * @returns its path without symbolic links
 */
export function createFile(file: string): string {
  const directory = dirname(file)
  const firstMade = mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
    if (firstMade !== undefined) syncBetween(directory, dirname(firstMade))
  } catch (error) {
    // An existing database is not opened here: closing it would drop the locks that this process has on it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return realpathSync(file)
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
