import type { ReadRange, StoredRecord } from '@dsh/persistence/driver'
import type { Connection } from './connection.js'
import type { ReadPage } from './database/read.js'
import type { SessionRef } from './database/session-row.js'
import { unpackRecords } from './record-block.js'

/** A page takes about this many bytes, so that whoever reads stays responsive. */
const PAGE_BYTES = 1 << 20
const MOST_ROWS = 512
/** Of the first page, which often is all that is wanted. */
const FIRST_ROWS = 32

/** What a read ends at, and who hears of it. */
export interface ReadEnd {
  /** Where absent, the end of the log when the first page is read. */
  readonly end?: number | undefined
  found?(end: number): void
}

/**
 * Yields the records of a range page by page. While one is worked on, the next is being read.
 * @throws as the operation `read`, and the reason of the signal
 */
export async function* readSession(
  connection: Connection,
  ref: SessionRef,
  { from = 0, to = Number.MAX_SAFE_INTEGER, reverse = false, filter }: ReadRange,
  { end, found }: ReadEnd,
  signal?: AbortSignal,
): AsyncGenerator<readonly StoredRecord[]> {
  const range = { ref, reverse, surface: filter === 'surface' }
  let rows = FIRST_ROWS
  signal?.throwIfAborted()
  let page: ReadPage | undefined = await connection.call('read', { ...range, from, to, rows, end })
  found?.(page.end)
  while (page) {
    const { block, rest }: ReadPage = page
    const next: Promise<ReadPage> | undefined = rest && ask(rest, page.end)
    // It may fail while nobody waits for it, or when nobody wants it any more.
    next?.catch(() => {})
    if (block.numbers.length > 0) yield unpackRecords(block)
    signal?.throwIfAborted()
    page = await next
  }

  function ask(rest: NonNullable<ReadPage['rest']>, end: number): Promise<ReadPage> {
    const { bytes } = page!.block
    rows = Math.max(1, Math.min(MOST_ROWS, rows * 4, Math.floor((rows * PAGE_BYTES) / (bytes.length + 1))))
    return connection.call('read', { ...range, ...rest, rows, end })
  }
}
