import { SessionError } from '@dsh/session'

/** Where a page of a search begins. */
export interface SearchPlace {
  /** Hits on earlier pages. */
  readonly offset: number
  /** The last text that the search knows of: what comes later would shift the pages. */
  readonly lastId: number
}

/** Writes a place as an opaque cursor. */
export function formatSearchCursor({ offset, lastId }: SearchPlace): string {
  return JSON.stringify([offset, lastId])
}

/** Reads what {@link formatSearchCursor} wrote. @throws INVALID_BOUNDARY for anything else */
export function parseSearchCursor(cursor: string): SearchPlace {
  try {
    const [offset, lastId, ...rest] = JSON.parse(cursor)
    if (isCount(offset) && isCount(lastId) && rest.length === 0) return { offset, lastId }
  } catch {}
  const found = JSON.stringify(cursor)
  throw new SessionError('INVALID_BOUNDARY', { expected: 'a cursor from an earlier page of the search', found })
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
