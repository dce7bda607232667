import type { EventPage, SessionPersistence } from '@dsh/persistence'
import type { SessionEvent, SessionId } from '@dsh/session'
import { isSessionError } from '@dsh/session'

/** Bytes of stored lines that are in memory at a time; a single larger event comes all the same. */
const PAGE_BYTES = 1_000_000

/** Which events to read. */
export interface EventRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly signal: AbortSignal
}

/**
 * The events of a stored session, page by page, to the end that the log has when it is reached.
 * @throws as `readFrom`; where the log is damaged, behind the last event before that
 */
export async function* readEvents(
  persistence: SessionPersistence,
  id: SessionId,
  { from, to, signal }: EventRange,
): AsyncGenerator<SessionEvent> {
  let next: number | undefined = from
  while (next !== undefined && next < to) {
    let page: EventPage
    try {
      page = await persistence.readFrom(id, next, { maxBytes: PAGE_BYTES, limit: to - next, signal })
    } catch (error) {
      if (isSessionError(error, 'SESSION_CORRUPT')) yield* eventsBefore(persistence, id, next, error.seq ?? 0, signal)
      throw error
    }
    yield* page.events
    next = page.next
  }
}

/** What a page that ends in damage would have had. Watching gives it batch by batch. */
async function* eventsBefore(
  persistence: SessionPersistence,
  id: SessionId,
  from: number,
  damage: number,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  if (from >= damage) return
  for await (const event of persistence.watch(id, from, signal)) {
    if (event.seq >= damage) return
    yield event
    if (event.seq === damage - 1) return
  }
}

/** Where the last `most` events below `end` begin that match. What lies before them is not read. */
export async function startOfLast(
  persistence: SessionPersistence,
  id: SessionId,
  end: number,
  most: number,
  matches: (event: SessionEvent) => boolean,
  signal: AbortSignal,
): Promise<number> {
  let missing = most
  let to = end
  for (let size = most; missing > 0 && to > 0; size *= 2) {
    const from = Math.max(0, to - size)
    const seqs: number[] = []
    for await (const event of readEvents(persistence, id, { from, to, signal }))
      if (matches(event)) seqs.push(event.seq)
    if (seqs.length >= missing) return seqs[seqs.length - missing]!
    missing -= seqs.length
    to = from
  }
  return missing > 0 ? 0 : to
}
