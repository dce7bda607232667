import type { EventPage, SessionPersistence } from '@dsh/persistence'
import type { SessionEvent, SessionId } from '@dsh/session'

/** Bytes of stored lines that are in memory at a time; a single larger event comes all the same. */
const PAGE_BYTES = 1_000_000

/** Which events to read. */
export interface EventRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly signal: AbortSignal
}

/** The events of a stored session, page by page, to the end that the log has when it is reached. */
export async function* readEvents(
  persistence: SessionPersistence,
  id: SessionId,
  { from, to, signal }: EventRange,
): AsyncGenerator<SessionEvent> {
  let next: number | undefined = from
  while (next !== undefined && next < to) {
    const page: EventPage = await persistence.readFrom(id, next, { maxBytes: PAGE_BYTES, limit: to - next, signal })
    yield* page.events
    next = page.next
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
