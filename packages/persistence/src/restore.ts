import type { Session, SessionErrorCode, SessionEvent, StoredRow } from '@dsh/session'
import {
  encodeRows,
  interruptedTurnClosers,
  isSessionError,
  SESSION_FORMAT_VERSION,
  SessionError,
  SessionRestorer,
} from '@dsh/session'
import { storedEntries } from '@dsh/session/host'
import type { Clock } from './clock.js'
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
        requireVersion(handle, record)
        check?.(record)
        restorer.push(record, record.seq + record.count <= trustedSeq ? trusted : checked)
        if (pauses.isDue()) await pauses.take()
      }
    }
    requireLength(handle, restorer.nextSeq)
    return restorer.finish()
  } catch (error) {
    throw asCorrupt(handle, error)
  }
}

/** A restored session whose interrupted turn is closed. */
export interface RepairedSession {
  readonly session: Session
  /** What was added; none of it is stored. Empty where no turn was open. */
  readonly closers: readonly SessionEvent[]
}

/** Closes the turn that a crash left open. The closers lie below `firstLiveSeq`, as if they had been stored. */
export async function closeInterruptedTurn(session: Session, clock: Clock): Promise<RepairedSession> {
  const closers = interruptedTurnClosers(session)
  if (closers.length === 0) return { session, closers }
  const restorer = new SessionRestorer(session.header)
  const pauses = new Pauses(clock)
  const push = (rows: readonly StoredRow[]) => {
    for (const row of rows) restorer.push(row, trusted)
  }
  for (const entry of storedEntries(session)) {
    push('body' in entry ? [entry] : encodeRows([entry]))
    if (pauses.isDue()) await pauses.take()
  }
  push(encodeRows(closers))
  return { session: restorer.finish(), closers }
}

function requireVersion({ header }: DriverHandle, { version, seq }: StoredRecord): void {
  if (version === SESSION_FORMAT_VERSION) return
  throw new SessionError('FORMAT_UNSUPPORTED', {
    expected: `records of format version ${SESSION_FORMAT_VERSION}`,
    found: `the ${version > SESSION_FORMAT_VERSION ? 'newer' : 'older'} version ${version}`,
    session: header.id,
    seq,
  })
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

const refusals: readonly SessionErrorCode[] = ['INVALID_EVENT', 'SURFACE_CONFLICT', 'NOT_JSON']

/** What the core refuses in a stored log is damage of that log; any other failure stays what it is. */
function asCorrupt({ header }: DriverHandle, error: unknown): unknown {
  if (!isSessionError(error) || !refusals.includes(error.code)) return error
  const { expected, found, seq, path } = error
  return new SessionError('SESSION_CORRUPT', {
    expected,
    found,
    session: header.id,
    ...(seq !== undefined && { seq }),
    ...(path !== undefined && { path }),
    cause: error,
  })
}
