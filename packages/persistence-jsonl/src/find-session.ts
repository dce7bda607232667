import { join } from 'node:path'
import type { SessionError } from '@dsh/session'
import { lookUp } from './directories.js'
import type { FileSystem } from './fs.js'
import type { SessionPaths } from './layout.js'
import { isSlug, pathsOfSlug, TRASH } from './layout.js'
import type { Root } from './root.js'
import { storageFailed } from './storage-error.js'
import { closeParts, findPartSeqs, openParts } from './stored-log.js'

/** What the trash holds of one id. */
export interface TrashedSessions {
  readonly paths: SessionPaths
  /** The names of their directories, the last to be put there at the end. */
  readonly names: readonly string[]
}

/**
 * Where a session is stored, or would be. Its id leads there; and where its header cannot be read, so does the name of
 * its directory, under which it is listed and which is all that is known of it.
 */
export async function findStored(root: Root, id: string): Promise<SessionPaths> {
  const paths = root.paths(id)
  if (await lookUp(root.fs, paths.directory)) return paths
  return (await whyListedByName(root.fs, root.path, id)) === undefined ? paths : pathsOfSlug(root.path, id)
}

/** The same for the trash, where the name of a directory can end with a number. */
export async function findTrashed(root: Root, id: string): Promise<TrashedSessions> {
  const paths = root.paths(id)
  const trash = join(root.path, TRASH)
  // A link could lead anywhere.
  if ((await lookUp(root.fs, trash))?.kind !== 'directory') return { paths, names: [] }
  const names = await namesInTrash(root, paths.slug)
  if (names.length > 0) return { paths, names }
  const slug = id.replace(/\.[1-9]\d{0,8}$/, '')
  if ((await whyListedByName(root.fs, trash, id, slug)) === undefined) return { paths, names }
  return { paths: pathsOfSlug(root.path, slug), names: [id] }
}

/** The directories in the trash of the sessions that had one id, in the order in which they were put there. */
export async function namesInTrash(root: Root, slug: string): Promise<string[]> {
  const names = await root.fs.readdir(join(root.path, TRASH))
  const numbers = names.map(name => numberOf(name, slug)).filter(number => number !== undefined)
  return numbers.sort((one, other) => one - other).map(number => numbered(slug, number))
}

/** The name in the trash of a session that is put behind those of `names`. */
export function nextTrashName(slug: string, names: readonly string[]): string {
  const last = names.at(-1)
  return last === undefined ? slug : numbered(slug, numberOf(last, slug)! + 1)
}

/**
 * Why a list shows the directory `name` of `parent` by that name and not by an id; undefined for every other, and for
 * what is no directory of a session.
 * @param slug the name without a number
 * @throws STORAGE_FAILED where it cannot be told at the moment
 */
export async function whyListedByName(
  fs: FileSystem,
  parent: string,
  name: string,
  slug = name,
): Promise<SessionError | undefined> {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(slug)) return undefined
  const directory = join(parent, name)
  try {
    if ((await lookUp(fs, directory))?.kind !== 'directory') return undefined
    if (await isForeign(fs, directory, slug)) return undefined
    const { parts } = await openParts(fs, directory, undefined, 'read')
    await closeParts(parts)
    return undefined
  } catch (cause) {
    const error = storageFailed('look for the session', cause, { file: directory, session: name })
    if (error.code === 'STORAGE_FAILED') throw error
    return error.code === 'SESSION_NOT_FOUND' || error.details.id !== undefined ? undefined : error
  }
}

/**
 * Whether a directory is somebody else's, such as the locks of a database beside the sessions: neither its name nor what
 * it holds is a session's.
 * @param slug its name without a number
 * @throws as {@link findPartSeqs}
 */
export async function isForeign(fs: FileSystem, directory: string, slug: string): Promise<boolean> {
  return !isSlug(slug) && (await findPartSeqs(fs, directory, undefined)).length === 0
}

// The trash keeps every session that had an id: `<slug>`, then `<slug>.1` and so on.
function numbered(slug: string, number: number): string {
  return number === 0 ? slug : `${slug}.${number}`
}

function numberOf(name: string, slug: string): number | undefined {
  if (name === slug) return 0
  const digits = name.startsWith(`${slug}.`) ? name.slice(slug.length + 1) : ''
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined
}
