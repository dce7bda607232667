import { createRequire } from 'node:module'
import type { FileSystem } from './fs.js'
import type { LockFile } from './lock-file.js'
import { OpenFile } from './open-file.js'

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
export function nativeLock(fs: FileSystem, { tryLock }: NativeExtensions): LockFile {
  return async path => {
    const file = await OpenFile.open(fs, path, 'lock')
    try {
      if (await file.use(async fd => tryLock(fd)))
        return { claim, isHeld: async () => true, release: () => file.close() }
    } catch (error) {
      await file.close()
      throw error
    }
    await file.close()
    return undefined
  }

  // A lock keeps readers out on Windows; there nobody can delete the lock file of a running process either.
  async function claim(log: OpenFile): Promise<boolean> {
    return process.platform === 'win32' || log.use(async fd => tryLock(fd))
  }
}
