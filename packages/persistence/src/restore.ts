import type { Session, SessionEvent } from '@dsh/session'
import { interruptedTurnClosers, SessionError, SessionRestorer } from '@dsh/session'
import { extendedSession } from '@dsh/session/host'
import type { Clock } from './clock.js'
import { asCorrupt, requireVersion } from './decode.js'
import type { DriverHandle, StoredRecord } from './driver.js'
import { Pauses } from './pauses.js'

const trusted = { trusted: true } as const
const checked = { trusted: false } as const

/**
 * The session that a handle has stored, its rows undecoded.
 * @param check sees each record first and may refuse it
 * @throws SESSION_CORRUPT for records that make no log, FORMAT_UNSUPPORTED, and as the handle's `read`
 */
export async function restoreSession(
  handle: DriverHandle,
  clock: Clock,
  signal?: AbortSignal,
  check?: (record: StoredRecord) => unknown,
): Promise<Session> {
  const { trustedSeq = Number.POSITIVE_INFINITY, nextSeq } = handle
  const pauses = new Pauses(clock)
  try {
    const restorer = new SessionRestorer(handle.header)
    for await (const records of handle.read({ to: nextSeq }, signal)) {
      for (const record of records) {
        requireVersion(record, handle.header.id)
        check?.(record)
        restorer.push(record, record.seq + record.count <= trustedSeq ? trusted : checked)
        if (pauses.isDue()) await pauses.take()
      }
    }
    requireLength(handle, restorer.nextSeq)
    return restorer.finish()
  } catch (error) {
    throw asCorrupt(error, handle.header.id)
  }
}

/** A restored session whose interrupted turn is closed. */
export interface RepairedSession {
  readonly session: Session
  /** What was added; none of it is stored. Empty where no turn was open. */
  readonly closers: readonly SessionEvent[]
}

/** Closes the turn that a crash left open. The closers lie below `firstLiveSeq`, as if they had been stored. */
export function closeInterruptedTurn(session: Session): RepairedSession {
  const closers = closersOf(session)
  return { session: closers.length === 0 ? session : extendedSession(session, closers), closers }
}

function closersOf(session: Session): readonly SessionEvent[] {
  try {
    return interruptedTurnClosers(session)
  } catch (error) {
    throw asCorrupt(error, session.id)
  }
}

function requireLength({ header, nextSeq }: DriverHandle, found: number): void {
  const least = Math.max(nextSeq, header.seedLength ?? 0)
  if (found >= least) return
  throw new SessionError('SESSION_CORRUPT', {
    expected: `at least ${least} events`,
    found: `${found}`,
    session: header.id,
    seq: found,
  })
}
