import { join } from 'node:path'
import { sessionSlug } from '@dsh/persistence/lock'

/** Directories of the root that hold no live session. Their names start with a dot, which no session's does. */
export const LOCKS = '.locks'
export const STAGING = '.staging'
export const TRASH = '.trash'

/** Where one session lies. A pure function of root and id: nothing searches the root to find it. */
export interface SessionPaths {
  readonly slug: string
  readonly directory: string
  /** Named by its inode as long as the root exists: never unlinked, renamed or read. */
  readonly lock: string
  readonly trash: string
}

export function sessionPaths(root: string, id: string): SessionPaths {
  return pathsOfSlug(root, sessionSlug(id))
}

export function pathsOfSlug(root: string, slug: string): SessionPaths {
  return { slug, directory: join(root, slug), lock: join(root, LOCKS, slug), trash: join(root, TRASH, slug) }
}

/** Whether a name ends as those of sessions do. */
export function isSlug(name: string): boolean {
  return /(?:^|-)[0-9a-f]{32}$/.test(name)
}

/** The name of the part of a log that starts at sequence number `firstSeq`. */
export function partName(firstSeq: number): string {
  return `log-${firstSeq}.jsonl`
}

/** The sequence number that a part's name says, or undefined for any other file. */
export function firstSeqOfPart(name: string): number | undefined {
  const digits = /^log-(0|[1-9]\d{0,15})\.jsonl$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The sequence numbers that the parts among `names` start at, in order. */
export function findParts(names: readonly string[]): number[] {
  const parts = names.map(firstSeqOfPart).filter(seq => seq !== undefined)
  return parts.sort((left, right) => left - right)
}
