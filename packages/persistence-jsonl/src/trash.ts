import { join } from 'node:path'
import { SessionError } from '@dsh/session'
import { ensureDirectory, lookUp, moveDirectory } from './directories.js'
import { namesInTrash, nextTrashName } from './find-session.js'
import { TRASH } from './layout.js'
import { asOwner, asOwnerOfTrashed, lookForStored, refuseOthers } from './owned.js'
import type { Root } from './root.js'
import { notFound } from './storage-error.js'

/** Moves a stored session to the trash. @throws SESSION_NOT_FOUND, SESSION_LOCKED, STORAGE_FAILED */
export async function trashSession(root: Root, id: string): Promise<void> {
  const { isStored, ...paths } = await lookForStored(root, id)
  const { directory, slug } = paths
  if (!isStored) throw notFound(directory, id)
  await asOwner(root, id, paths, async owner => {
    await refuseOthers(root, directory, id, owner)
    const trash = await ensureDirectory(root.fs, root.path, TRASH)
    await move(root, directory, join(trash, nextTrashName(slug, await namesInTrash(root, slug))))
  })
}

/**
 * Takes a session out of the trash, of several that had the same id the last one.
 * @throws SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, SESSION_LOCKED, STORAGE_FAILED
 */
export async function restoreSession(root: Root, id: string): Promise<void> {
  await asOwnerOfTrashed(root, id, async ({ paths: { directory }, names }) => {
    if (await lookUp(root.fs, directory)) {
      const place = { file: directory, session: id }
      throw new SessionError('SESSION_ALREADY_EXISTS', {
        expected: 'an id that is not stored',
        found: 'a stored session',
        ...place,
      })
    }
    await move(root, join(root.path, TRASH, names.at(-1)!), directory)
  })
}

async function move(root: Root, from: string, to: string): Promise<void> {
  await moveDirectory(root.fs, from, to)
  await root.syncDirectory(join(to, '..'))
  await root.syncDirectory(join(from, '..'))
}
