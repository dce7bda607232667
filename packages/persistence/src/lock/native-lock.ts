import { createRequire } from 'node:module'
import type { LockFile } from './lock-file.js'
import type { LockFiles } from './lock-files.js'
import type { LockableFile } from './ownership.js'

interface NativeExtensions {
  /** Locks between open files, not between processes: a second open of the same process is refused like any other. */
  tryLock(fd: number): boolean
}

/** Loads the native extension; undefined where it has no build, as on musl. */
export function loadNativeExtensions(): NativeExtensions | undefined {
  try {
    return createRequire(import.meta.url)('fs-native-extensions') as NativeExtensions
  } catch {
    return undefined
  }
}

/** Locks through the operating system's locks on open files. */
export function nativeLock(files: LockFiles, { tryLock }: NativeExtensions): LockFile {
  return async path => {
    const fd = await files.open(path, 'lock')
    try {
      if (tryLock(fd)) return { claim, isHeld: async () => true, release: () => files.close(fd) }
    } catch (error) {
      await files.close(fd)
      throw error
    }
    await files.close(fd)
    return undefined
  }

  // A lock keeps readers out on Windows; there nobody can delete the lock file of a running process either.
  async function claim(file: LockableFile): Promise<boolean> {
    return process.platform === 'win32' || file.use(async fd => tryLock(fd))
  }
}
