import type { ListQuery } from '@dsh/persistence/driver'
import { requireLimit } from '@dsh/persistence/driver'
import { SESSION_FACTS, sessionChecksumOf } from './checksum.js'
import { listConditions } from './list.js'
import type { Store } from './store.js'

/** Sessions of a list as text, one line each: half the way to another thread is less than a tenth of the time. */
export interface ListedLines {
  /** What the checksum of a session covers, the lines separated by line feeds. */
  readonly lines: string
  /** Whether the page is full and more follow. */
  readonly hasMore: boolean
}

/**
 * The rows of a page, verified; undefined when one of them is damaged, so that each has to be looked at.
 * @throws INVALID_BOUNDARY, STORAGE_FAILED
 */
export function listLines({ database }: Store, query: ListQuery): ListedLines | undefined {
  const limit = requireLimit(query.limit)
  const { sql, parameters } = listConditions(query)
  const found = database.read({ purpose: 'list the sessions' }, () =>
    database.get<{ rows: number; crcs: string; lines: string }>(
      `SELECT count(*) AS rows, group_concat(crc, ' ') AS crcs, group_concat(${SESSION_FACTS}, char(10)) AS lines
      FROM (SELECT * FROM sessions ${sql} LIMIT ?)`,
      ...parameters,
      limit === Infinity ? -1 : limit + 1,
    ),
  )!
  if (found.rows === 0) return { lines: '', hasMore: false }
  const lines = found.lines.split('\n')
  const crcs = found.crcs.split(' ')
  if (lines.length !== found.rows || !lines.every((line, row) => sessionChecksumOf(line) === Number(crcs[row]))) {
    return undefined
  }
  const hasMore = found.rows > limit
  return { lines: hasMore ? lines.slice(0, limit).join('\n') : found.lines, hasMore }
}
