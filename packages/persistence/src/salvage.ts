import type { SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import { SESSION_FORMAT_VERSION } from '@dsh/session'
import { encodeBatch } from './batch.js'
import { requireCapability } from './driver.js'
import type { Engine } from './engine.js'
import { isInUse } from './engine.js'
import type { Degradation } from './salvage-log.js'
import { SalvageLog } from './salvage-log.js'
import type { UnreadablePart } from './salvage-read.js'
import { readSalvageable } from './salvage-read.js'
import { idTaken } from './writers.js'

/** What {@link salvage} saved, and what it could not. */
export interface SalvageReport {
  /** The header of the new session. */
  readonly header: SessionHeader
  /** Events of the new session that were read from the damaged one. */
  readonly recovered: number
  /** Ranges of sequence numbers whose events are lost, `to` exclusive. */
  readonly lost: readonly { readonly from: number; readonly to: number }[]
  /** Stretches of the storage, and records, that made no event. */
  readonly unreadable: readonly UnreadablePart[]
  /** Events that entered the surface in another way than recorded, since what they refer to is lost. */
  readonly degraded: readonly Degradation[]
}

/**
 * Writes what can be read of a stored session into a new one. The damaged session stays as it is.
 * @throws UNSUPPORTED, SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS for a `target` that is taken, STORAGE_FAILED
 */
export async function salvage(engine: Engine, id: SessionId, target: SessionId): Promise<SalvageReport> {
  const { clock, driver, manifest, options } = engine
  requireCapability(manifest, 'tolerantRead')
  if (isInUse(engine, target)) throw idTaken(target, 'a live session')
  const { header: damaged, events, unreadable } = await readSalvageable(await driver.readTolerant(id), clock)
  const header: SessionHeader = {
    ...damaged,
    version: SESSION_FORMAT_VERSION,
    id: target,
    createdAt: clock.wallTime(),
  }
  const log = new SalvageLog(header)
  const length = Math.max(lengthOf(events), header.seedLength ?? 0)
  for (let seq = 0; seq < length; seq++) {
    const event = events.get(seq)
    if (event === undefined) log.addLost(seq, 'not found in the damaged log')
    else log.add(event)
  }
  const session = log.finish()
  const { packChunks } = options
  const { records } = await encodeBatch(session, 0, session.seq, clock, { packChunks, atLeast: session.seq })
  await (await driver.create(header, records)).close()
  return {
    header,
    recovered: session.seq - log.lostSeqs.length,
    lost: ranges(log.lostSeqs),
    unreadable: [...unreadable, ...log.refused],
    degraded: log.degraded,
  }
}

function lengthOf(events: ReadonlyMap<number, SessionEvent>): number {
  let length = 0
  for (const seq of events.keys()) length = Math.max(length, seq + 1)
  return length
}

function ranges(seqs: readonly number[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  for (const seq of seqs) {
    const last = found.at(-1)
    if (last?.to === seq) last.to++
    else found.push({ from: seq, to: seq + 1 })
  }
  return found
}
