import { dirname, join } from 'node:path'
import { SessionError } from '@dsh/session'
import type { FileStat, FileSystem } from './fs.js'
import { isErrno, storageFailed } from './storage-error.js'

/** Creates a directory and whatever lies above it; tells of each that may not have been there before. */
export async function makeDirectories(fs: FileSystem, path: string, created: (path: string) => void): Promise<void> {
  try {
    await makeDirectory(fs, path, created)
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || dirname(path) === path) throw error
    await makeDirectories(fs, dirname(path), created)
    // Once and no more: above a link that leads nowhere, as to a volume that is not mounted, nothing can be created.
    await makeDirectory(fs, path, created)
  }
}

async function makeDirectory(fs: FileSystem, path: string, created: (path: string) => void): Promise<void> {
  try {
    await fs.mkdir(path)
    created(path)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    // A failure that came after the fact looks like any other.
    created(path)
    throw error
  }
}

/** Creates `name` in the root unless it is there. @throws STORAGE_FAILED when it is there and leads elsewhere */
export async function ensureDirectory(fs: FileSystem, root: string, name: string): Promise<string> {
  const path = join(root, name)
  try {
    await fs.mkdir(path)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    if ((await fs.lstat(path)).kind !== 'directory') {
      throw new SessionError('STORAGE_FAILED', {
        expected: 'a directory',
        found: 'something else',
        file: path,
        details: { indeterminate: false },
      })
    }
  }
  return path
}

/** What `path` is; undefined when there is nothing. Links are not followed. */
export async function lookUp(fs: FileSystem, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.lstat(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Whether something of a session lies at a path, told at once. @throws STORAGE_FAILED */
export function existsNow(fs: FileSystem, file: string, session: string): boolean {
  try {
    return fs.now.exists(file)
  } catch (error) {
    throw storageFailed('look for the session', error, { file, session })
  }
}

/** Removes a directory with all it holds; links are removed, not followed. A directory that is not there is fine. */
export async function removeTree(fs: FileSystem, path: string): Promise<void> {
  const stat = await lookUp(fs, path)
  if (!stat) return
  if (stat.kind !== 'directory') return fs.unlink(path)
  for (const name of await fs.readdir(path)) await removeTree(fs, join(path, name))
  await fs.rmdir(path)
}

/**
 * Renames a directory that only the caller moves. Over a network a rename can be done and be reported as failed all the
 * same, when its answer was lost; where the directory is tells.
 */
export async function moveDirectory(fs: FileSystem, from: string, to: string): Promise<void> {
  try {
    await fs.rename(from, to)
  } catch (error) {
    const isDone = !(await lookUp(fs, from)) && (await lookUp(fs, to)) !== undefined
    if (!isDone) throw error
  }
}
