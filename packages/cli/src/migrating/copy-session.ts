import type { Driver, DriverHandle, StoredRecord } from '@dsh/persistence/driver'
import { isSessionError, SessionError, type SessionHeader, type SessionId } from '@dsh/session'
import { requireEqual } from './stored-events.js'

/** What a copy took. */
export interface CopyReport {
  readonly id: SessionId
  readonly events: number
  /** `copied` whole, `continued` from where an earlier copy ended, or `present` already. */
  readonly outcome: 'copied' | 'continued' | 'present'
}

/** Bytes of records that are stored in one go. */
const BATCH_BYTES = 1_000_000

/**
 * Copies a session from one storage to another, record by record as they are, and holds the copy against it event by
 * event. A copy that was broken off is continued.
 * @param stored called with the number of events that the copy has, now and then
 * @throws SESSION_ALREADY_EXISTS when the target has another session of this id, or more of it; and as the drivers do
 */
export async function copySession(
  source: Driver,
  target: Driver,
  id: SessionId,
  stored: (events: number) => void = () => {},
): Promise<CopyReport> {
  const from = await source.open(id, 'read')
  try {
    const before = await openCopy(target, from.header)
    const start = before ?? 0
    if (start > from.nextSeq) throw conflict(id, `${start} events in it, and ${from.nextSeq} here`)
    if (before === undefined || start < from.nextSeq)
      await copyRecords(from, target, start, before !== undefined, stored)
    const copy = await target.open(id, 'read')
    try {
      await requireEqual(from, copy, copy.nextSeq)
      const outcome = before === undefined ? 'copied' : start < copy.nextSeq ? 'continued' : 'present'
      return { id, events: copy.nextSeq, outcome }
    } finally {
      await copy.close()
    }
  } finally {
    await from.close()
  }
}

/** How many events the target has of the session; undefined for none of it. */
async function openCopy(target: Driver, header: SessionHeader): Promise<number | undefined> {
  let copy: DriverHandle
  try {
    copy = await target.open(header.id, 'read')
  } catch (error) {
    if (isSessionError(error, 'SESSION_NOT_FOUND')) return undefined
    throw error
  }
  await copy.close()
  if (copy.header.createdAt !== header.createdAt) throw conflict(header.id, 'another session of this id')
  return copy.nextSeq
}

async function copyRecords(
  from: DriverHandle,
  target: Driver,
  start: number,
  isThere: boolean,
  stored: (events: number) => void,
): Promise<void> {
  const { header, nextSeq } = from
  let handle = isThere ? await target.open(header.id, 'write') : undefined
  try {
    let batch: StoredRecord[] = []
    let bytes = 0
    const store = async () => {
      if (handle === undefined) handle = await target.create(header, batch)
      else if (batch.length > 0) await handle.append(handle.nextSeq, batch)
      batch = []
      bytes = 0
      stored(handle.nextSeq)
    }
    for await (const records of from.read({ from: start, to: nextSeq })) {
      for (const record of records) {
        batch.push(record)
        bytes += record.body.length
        const reached = record.seq + record.count
        // What was inherited is stored together or not at all.
        if (bytes >= BATCH_BYTES && reached >= (header.seedLength ?? 0)) await store()
      }
    }
    if (batch.length > 0 || handle === undefined) await store()
  } finally {
    await handle?.close()
  }
}

function conflict(session: string, found: string): SessionError {
  return new SessionError('SESSION_ALREADY_EXISTS', {
    expected: 'a target without the session, or a start of it',
    found,
    session,
  })
}
