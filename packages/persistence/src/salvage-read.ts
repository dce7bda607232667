import type { SessionEvent, SessionHeader } from '@dsh/session'
import { decodeRow } from '@dsh/session'
import type { Clock } from './clock.js'
import type { StoredRecord, TolerantRead } from './driver.js'
import { Pauses } from './pauses.js'

/** A stretch of a damaged storage, or a record of it, that made no event. */
export interface UnreadablePart {
  readonly reason: string
  readonly seq?: number
  readonly byte?: number
  readonly bytes?: number
}

/** Everything of a damaged session that can be read, in whatever order it lay there. */
export interface Salvageable {
  readonly header: SessionHeader | undefined
  readonly events: ReadonlyMap<number, SessionEvent>
  readonly unreadable: readonly UnreadablePart[]
}

/** A forged or mangled number must not make up millions of lost events; no more can have been in what is missing. */
const PLAUSIBLE_GAP = 100_000

/** Collects the events of a tolerant read: the first of several with one number, none of a number out of all reason. */
export async function readSalvageable({ header, items }: TolerantRead, clock: Clock): Promise<Salvageable> {
  const events = new Map<number, SessionEvent>()
  const unreadable: UnreadablePart[] = []
  const pauses = new Pauses(clock, 1)
  let plausibleEnd = PLAUSIBLE_GAP
  const take = (record: StoredRecord) => {
    const { seq } = record
    if (seq >= plausibleEnd) {
      unreadable.push({ reason: 'a sequence number far behind all others', seq })
      return
    }
    const decoded = decode(record)
    if (typeof decoded === 'string') {
      unreadable.push({ reason: decoded, seq })
      return
    }
    for (const event of decoded) {
      const known = events.get(event.seq)
      if (known === undefined) events.set(event.seq, event)
      else if (JSON.stringify(known) !== JSON.stringify(event)) {
        unreadable.push({ reason: 'another event with a number that was taken', seq: event.seq })
      }
    }
    plausibleEnd = Math.max(plausibleEnd, seq + record.count + PLAUSIBLE_GAP)
  }
  for await (const item of items) {
    if (item.kind === 'records') for (const record of item.records) take(record)
    else {
      const { kind: _, ...part } = item
      unreadable.push(part)
      plausibleEnd += item.bytes ?? 0
    }
    if (pauses.isDue()) await pauses.take()
  }
  return { header, events, unreadable }
}

function decode(record: StoredRecord): readonly SessionEvent[] | string {
  try {
    return decodeRow(record)
  } catch (error) {
    return (error as Error).message
  }
}
