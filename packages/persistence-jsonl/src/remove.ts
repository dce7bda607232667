import { join } from 'node:path'
import { existsNow, moveDirectory, removeTree } from './directories.js'
import { STAGING, TRASH } from './layout.js'
import { asOwner, asOwnerOfTrashed, lookForStored, lookForTrashed, refuseOthers } from './owned.js'
import type { Root } from './root.js'
import { notFound } from './storage-error.js'

/** Removes a stored session and what is left of an earlier removal. @throws SESSION_NOT_FOUND, SESSION_LOCKED, STORAGE_FAILED */
export async function removeSession(root: Root, id: string): Promise<void> {
  const { isStored, ...paths } = await lookForStored(root, id)
  const { directory, slug } = paths
  if (!isStored && !hasResidue(root, slug, id)) throw notFound(directory, id)
  await asOwner(root, id, paths, async owner => {
    const staged = await root.stage(slug)
    if (!isStored) return
    await refuseOthers(root, directory, id, owner)
    await removeDirectory(root, root.path, directory, staged)
  })
}

/**
 * Removes every session of an id that the trash holds, the last one first, so that those that are left are numbered as
 * before, and what is left of an earlier removal.
 * @throws as {@link removeSession}
 */
export async function removeTrashed(root: Root, id: string): Promise<void> {
  const { paths, names } = await lookForTrashed(root, id)
  if (names.length === 0 && hasResidue(root, paths.slug, id)) {
    await asOwner(root, id, paths, async () => void (await root.stage(paths.slug)))
    return
  }
  const trash = join(root.path, TRASH)
  await asOwnerOfTrashed(root, id, async (found, owner) => {
    const directories = found.names.map(name => join(trash, name))
    for (const directory of directories) await refuseOthers(root, directory, id, owner)
    const staged = await root.stage(found.paths.slug)
    for (const directory of directories.reverse()) await removeDirectory(root, trash, directory, staged)
  })
}

/** One rename takes the session away whole; what comes after it may be cut off, and is done the next time. */
async function removeDirectory(root: Root, parent: string, directory: string, staged: string): Promise<void> {
  await moveDirectory(root.fs, directory, staged)
  await root.syncDirectory(parent)
  await removeTree(root.fs, staged)
}

function hasResidue(root: Root, slug: string, session: string): boolean {
  return existsNow(root.fs, join(root.path, STAGING, slug), session)
}
