import { join } from 'node:path'
import type { Ownership } from '@dsh/persistence/lock'
import { SessionError } from '@dsh/session'
import { lookUp } from './directories.js'
import type { TrashedSessions } from './find-session.js'
import { findStored, findTrashed } from './find-session.js'
import type { SessionPaths } from './layout.js'
import { TRASH } from './layout.js'
import type { Root } from './root.js'
import { notFound, storageFailed } from './storage-error.js'
import { closeParts, openParts } from './stored-log.js'

/** Where an id leads, and whether a session is stored there. @throws STORAGE_FAILED */
export async function lookForStored(root: Root, id: string): Promise<SessionPaths & { readonly isStored: boolean }> {
  return lookFor(root.paths(id).directory, id, async () => {
    const paths = await findStored(root, id)
    return { ...paths, isStored: (await lookUp(root.fs, paths.directory)) !== undefined }
  })
}

/** What the trash holds of an id. @throws STORAGE_FAILED */
export async function lookForTrashed(root: Root, id: string): Promise<TrashedSessions> {
  return lookFor(join(root.path, TRASH), id, () => findTrashed(root, id))
}

/** Runs `operation` as the owner of a session that is to be moved or removed. @throws SESSION_LOCKED, STORAGE_FAILED */
export async function asOwner(
  root: Root,
  session: string,
  paths: SessionPaths,
  operation: (owner: Ownership) => Promise<void>,
): Promise<void> {
  let owner: Ownership | undefined
  try {
    owner = await root.own(session, paths)
    await operation(owner)
  } catch (error) {
    throw storageFailed('move or remove the session', error, { file: paths.directory, session })
  } finally {
    await owner?.release()
  }
}

/**
 * Runs `operation` as the owner of what the trash holds of an id.
 * @throws SESSION_NOT_FOUND where that is nothing, SESSION_LOCKED, STORAGE_FAILED
 */
export async function asOwnerOfTrashed(
  root: Root,
  id: string,
  operation: (found: TrashedSessions, owner: Ownership) => Promise<void>,
): Promise<void> {
  const { paths, names } = await lookForTrashed(root, id)
  const nothing = () => notFound(join(root.path, TRASH), id)
  if (names.length === 0) throw nothing()
  await asOwner(root, id, paths, async owner => {
    // Until it was owned, others could move what was found.
    const found = await findTrashed(root, id)
    if (found.names.length === 0 || found.paths.slug !== paths.slug) throw nothing()
    await operation(found, owner)
  })
}

/**
 * Refuses a session that somebody still writes although its lock file was deleted, and a directory that belongs to
 * another session. One that is too broken to tell can be removed.
 */
export async function refuseOthers(root: Root, directory: string, id: string, owner: Ownership): Promise<void> {
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

async function lookFor<T>(file: string, session: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    throw storageFailed('look for the session', error, { file, session })
  }
}
