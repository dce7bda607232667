import { basename, join } from 'node:path'
import type { Ownership } from '@dsh/persistence/lock'
import { SessionError } from '@dsh/session'
import { ensureDirectory, lookUp, moveDirectory, removeTree } from './directories.js'
import { STAGING, TRASH } from './layout.js'
import type { Root } from './root.js'
import { storageFailed } from './storage-error.js'
import { closeParts, openParts } from './stored-log.js'

/** Removes a stored session and what is left of an earlier removal. @throws SESSION_NOT_FOUND, SESSION_LOCKED, STORAGE_FAILED */
export async function removeSession(root: Root, id: string): Promise<void> {
  const { directory, slug } = root.paths(id)
  const isStored = await exists(root, directory, id)
  if (!isStored && !(await exists(root, join(root.path, STAGING, slug), id))) throw notFound(directory, id)
  await withOwnership(root, id, directory, async owner => {
    const staged = await root.stage(id)
    if (!isStored) return
    await refuseOthers(root, directory, id, owner)
    await moveDirectory(root.fs, directory, staged)
    await root.syncDirectory(root.path)
    await removeTree(root.fs, staged)
  })
}

/** Moves a stored session to the trash. @throws as {@link removeSession} */
export async function trashSession(root: Root, id: string): Promise<void> {
  const { directory, trash } = root.paths(id)
  if (!(await exists(root, directory, id))) throw notFound(directory, id)
  await withOwnership(root, id, directory, async owner => {
    await refuseOthers(root, directory, id, owner)
    await ensureDirectory(root.fs, root.path, TRASH)
    await move(root, directory, await firstFree(root, trash))
  })
}

/**
 * Takes a session out of the trash, of several that had the same id the last one.
 * @throws SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, SESSION_LOCKED, STORAGE_FAILED
 */
export async function restoreSession(root: Root, id: string): Promise<void> {
  const { directory, trash } = root.paths(id)
  if (!(await exists(root, trash, id))) throw notFound(trash, id)
  await withOwnership(root, id, trash, async () => {
    if (await lookUp(root.fs, directory)) {
      const place = { file: directory, session: id }
      throw new SessionError('SESSION_ALREADY_EXISTS', {
        expected: 'an id that is not stored',
        found: 'a stored session',
        ...place,
      })
    }
    const last = await lastTaken(root, trash)
    if (last === undefined) throw notFound(trash, id)
    await move(root, last, directory)
  })
}

async function withOwnership(
  root: Root,
  session: string,
  file: string,
  operation: (owner: Ownership) => Promise<void>,
): Promise<void> {
  let owner: Ownership | undefined
  try {
    owner = await root.own(session)
    await operation(owner)
  } catch (error) {
    throw storageFailed('move or remove the session', error, { file, session })
  } finally {
    await owner?.release()
  }
}

/**
 * Refuses a session that somebody still writes although its lock file was deleted, and a directory that belongs to
 * another session. One that is too broken to tell can be removed.
 */
async function refuseOthers(root: Root, directory: string, id: string, owner: Ownership): Promise<void> {
  let log: Awaited<ReturnType<typeof openParts>>
  try {
    log = await openParts(root.fs, directory, undefined, 'write')
  } catch (error) {
    if (error instanceof SessionError && error.code === 'SESSION_NOT_FOUND') throw error
    return
  }
  try {
    await owner.claim(log.parts[log.parts.length - 1]!.source)
    if (log.header.id === id) return
    throw new SessionError('SESSION_CORRUPT', {
      expected: `the session ${JSON.stringify(id)}`,
      found: `that of ${JSON.stringify(log.header.id)}`,
      session: id,
      file: directory,
    })
  } finally {
    await closeParts(log.parts)
  }
}

async function move(root: Root, from: string, to: string): Promise<void> {
  await moveDirectory(root.fs, from, to)
  await root.syncDirectory(join(to, '..'))
  await root.syncDirectory(join(from, '..'))
}

async function exists(root: Root, path: string, session: string): Promise<boolean> {
  try {
    return (await lookUp(root.fs, path)) !== undefined
  } catch (error) {
    throw storageFailed('look for the session', error, { file: path, session })
  }
}

// The trash keeps every session that had an id: `<slug>`, then `<slug>.1` and so on.
async function firstFree(root: Root, trash: string): Promise<string> {
  for (let index = 0; ; index++) {
    const path = numbered(trash, index)
    if (!(await lookUp(root.fs, path))) return path
  }
}

async function lastTaken(root: Root, trash: string): Promise<string | undefined> {
  const name = basename(trash)
  const names = new Set(await root.fs.readdir(join(trash, '..')))
  let last: string | undefined
  for (let index = 0; names.has(basename(numbered(name, index))); index++) last = numbered(trash, index)
  return last
}

function numbered(path: string, index: number): string {
  return index === 0 ? path : `${path}.${index}`
}

function notFound(file: string, session: string): SessionError {
  return new SessionError('SESSION_NOT_FOUND', { expected: 'a stored session', found: 'none', file, session })
}
