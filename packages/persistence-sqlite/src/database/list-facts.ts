import type { ListQuery } from '@dsh/persistence/driver'
import { requireLimit } from '@dsh/persistence/driver'
import { SESSION_FACTS, sessionChecksumOf } from './checksum.js'
import { listConditions } from './list.js'
import { safeNumber } from './session-row.js'
import type { Store } from './store.js'

/** What was sent of a list. */
export interface ListedFacts {
  /** Whether the page is full and more follow. */
  readonly hasMore: boolean
  /** The number in the trash of the last session that was sent; 0 outside. */
  readonly lastTrashed: number
}

/** Sessions in a slice: parsed in less than a millisecond. */
const SLICE = 250

/**
 * Sends the rows of a page, verified, as JSON arrays of what their checksums cover, some sessions in each: half the way to
 * another thread as objects takes ten times as long, and text is worked on there while more is read here.
 * @returns undefined when a row is damaged, so that each has to be looked at and what was sent is of no use
 * @throws INVALID_BOUNDARY, STORAGE_FAILED
 */
export function listFacts(
  { database }: Store,
  query: ListQuery,
  send: (slice: string) => void,
): ListedFacts | undefined {
  const limit = requireLimit(query.limit)
  const { sql, parameters } = listConditions(query)
  return database.read({ purpose: 'list the sessions' }, () => {
    // One more than asked for tells whether there are more.
    const rows = database.values<[crc: number, key: Uint8Array, facts: string, trashed: number]>(
      `SELECT ${safeNumber('crc')}, key, ${SESSION_FACTS}, ${safeNumber('trashed')} FROM sessions ${sql} LIMIT ?`,
      ...parameters,
      limit === Infinity ? -1 : limit + 1,
    )
    let slice: string[] = []
    let count = 0
    let hasMore = false
    let lastTrashed = 0
    for (const row of rows) {
      hasMore = count++ === limit
      if (hasMore) break
      const facts = row[2]
      if (sessionChecksumOf(row[1], facts) !== row[0]) return undefined
      lastTrashed = row[3]
      if (slice.push(facts) < SLICE) continue
      send(`[${slice.join(',')}]`)
      slice = []
    }
    if (slice.length > 0) send(`[${slice.join(',')}]`)
    return { hasMore, lastTrashed }
  })
}
