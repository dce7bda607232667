import type { SessionEvent, SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import { decodeRecord } from './decode.js'
import type { Engine } from './engine.js'
import { withReader } from './load.js'

/** How much {@link readFrom} gives at a time. */
export interface ReadOptions {
  /** Most events in the page. */
  readonly limit?: number
  /** Most bytes of stored lines in the page; a single larger event is given all the same. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

/** A stretch of a stored log. */
export interface EventPage {
  readonly events: readonly SessionEvent[]
  /** Where the next page starts; present when more follow. */
  readonly next?: number
}

/**
 * The events of a stored session from `seq` on; what lies before is not read.
 * @throws INVALID_BOUNDARY behind the end of the log, and for a limit that is none; as opening the session
 */
export async function readFrom(
  engine: Engine,
  id: SessionId,
  seq: number,
  { limit = Infinity, maxBytes = Infinity, signal }: ReadOptions = {},
): Promise<EventPage> {
  requireAtLeast('limit', limit, 1)
  requireAtLeast('maxBytes', maxBytes, 1)
  await engine.writers.settle(id)
  return withReader(engine, id, async handle => {
    if (!Number.isSafeInteger(seq) || seq < 0 || seq > handle.nextSeq) {
      throw new SessionError('INVALID_BOUNDARY', {
        expected: `a seq from 0 to ${handle.nextSeq}`,
        found: String(seq),
        session: id,
      })
    }
    const events: SessionEvent[] = []
    let bytes = 0
    for await (const records of handle.read({ from: seq, to: handle.nextSeq }, signal)) {
      for (const record of records) {
        bytes += record.body.length
        if (bytes > maxBytes && events.length > 0) return page(events, seq, handle.nextSeq)
        for (const event of decodeRecord(record, id)) {
          if (event.seq < seq) continue
          if (events.length >= limit) return page(events, seq, handle.nextSeq)
          events.push(event)
        }
      }
    }
    return page(events, seq, handle.nextSeq)
  })
}

function page(events: readonly SessionEvent[], seq: number, end: number): EventPage {
  const next = seq + events.length
  return { events, ...(next < end && { next }) }
}

function requireAtLeast(path: string, value: number, least: number): void {
  if (value >= least) return
  throw new SessionError('INVALID_BOUNDARY', { expected: `${path} of ${least} or more`, found: String(value), path })
}
