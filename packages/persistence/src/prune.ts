import type { SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { ListEntry } from './driver.js'
import type { Engine } from './engine.js'
import { isInUse } from './engine.js'
import { remove } from './removal.js'
import { storageError } from './storage-error.js'

/** Which stored sessions may go. */
export interface PruneOptions {
  /**
   * Those that were created, and whose last event was recorded, before this time, Unix epoch milliseconds. The times of
   * files do not count.
   */
  readonly olderThan: number
  /** Keep what a session that stays was forked from, and what that was forked from. Default true. */
  readonly keepForks?: boolean
  /** Only say what would be removed. */
  readonly dryRun?: boolean
}

/** Why an old session stays: `live` or `locked` by a writer, `corrupt`, a `parent` of one that stays, or `failed`. */
export type KeepReason = 'live' | 'locked' | 'corrupt' | 'parent' | 'failed'

/** What {@link prune} did, or would do. */
export interface PruneReport {
  /** The sessions that were removed, oldest first. */
  readonly removed: readonly ListEntry[]
  /** The sessions that are old enough and stay. */
  readonly kept: readonly { readonly entry: ListEntry; readonly reason: KeepReason; readonly error?: SessionError }[]
}

const PAGE = 500

/**
 * Removes old sessions. What is live, locked or corrupt stays.
 * @throws INVALID_BOUNDARY for a time that is none
 */
export async function prune(
  engine: Engine,
  { olderThan, keepForks = true, dryRun = false }: PruneOptions,
): Promise<PruneReport> {
  if (!Number.isFinite(olderThan)) {
    throw new SessionError('INVALID_BOUNDARY', { expected: 'a time as epoch milliseconds', found: String(olderThan) })
  }
  const all = await listAll(engine)
  const removed: ListEntry[] = []
  const kept: PruneReport['kept'][number][] = []
  const ancestors = keepForks ? ancestorsOfKept(engine, all, olderThan) : new Set<SessionId>()
  for (const entry of all) {
    if (entry.lastTime >= olderThan) continue
    const reason = keepReason(engine, entry) ?? (ancestors.has(entry.id) ? 'parent' : undefined)
    if (reason !== undefined) kept.push({ entry, reason })
    else if (dryRun) removed.push(entry)
    else {
      const error = await remove(engine, entry.id).then(
        () => undefined,
        cause => storageError(cause, entry.id),
      )
      if (error === undefined) removed.push(entry)
      else if (error.code === 'SESSION_LOCKED') kept.push({ entry, reason: 'locked' })
      else if (error.code !== 'SESSION_NOT_FOUND') kept.push({ entry, reason: 'failed', error })
    }
  }
  return { removed, kept }
}

async function listAll({ driver }: Engine): Promise<ListEntry[]> {
  const all: ListEntry[] = []
  let cursor: string | undefined
  do {
    const page = await driver.list({ order: 'oldest', limit: PAGE, ...(cursor !== undefined && { cursor }) })
    all.push(...page.entries)
    cursor = page.cursor
  } while (cursor !== undefined)
  return all
}

function keepReason(engine: Engine, { id, state }: ListEntry): KeepReason | undefined {
  if (state === 'corrupt') return 'corrupt'
  return isInUse(engine, id) ? 'live' : undefined
}

/** Every ancestor of a session that stays; lineage that runs in a circle ends where it began. */
function ancestorsOfKept(engine: Engine, all: readonly ListEntry[], olderThan: number): ReadonlySet<SessionId> {
  const parents = new Map(all.map(({ id, header }) => [id, header?.parentSession]))
  const ancestors = new Set<SessionId>()
  for (const entry of all) {
    if (entry.lastTime < olderThan && keepReason(engine, entry) === undefined) continue
    let parent = parents.get(entry.id)
    while (parent !== undefined && !ancestors.has(parent)) {
      ancestors.add(parent)
      parent = parents.get(parent)
    }
  }
  return ancestors
}
