/// <reference path="./fs-native-extensions.d.ts" />
import type { LockFile } from './lock-file.js'
import type { LockFiles } from './lock-files.js'
import type { LockableFile } from './ownership.js'

/** Locks between open files, not between processes: a second open in the same process is refused like any other. */
export type TryLock = (fd: number) => boolean

/** Loads the native extension; undefined where it has no build, as on musl. */
export async function loadTryLock(): Promise<TryLock | undefined> {
  try {
    return (await import('fs-native-extensions')).tryLock
  } catch {
    return undefined
  }
}

/** Locks through the operating system's locks on open files. */
export function nativeLock(files: LockFiles, tryLock: TryLock): LockFile {
  return async path => {
    const fd = files.open(path, 'lock')
    try {
      if (tryLock(fd)) return { claim, isHeld: async () => true, release: async () => files.close(fd) }
    } catch (error) {
      files.close(fd)
      throw error
    }
    files.close(fd)
    return undefined
  }

  // A lock keeps readers out on Windows; there nobody can delete the lock file of a running process either.
  async function claim(file: LockableFile): Promise<boolean> {
    return process.platform === 'win32' || file.use(async fd => tryLock(fd))
  }
}
