import type { Session, SessionEvent, SessionHeader } from '@dsh/session'
import { encodeRows, SessionError } from '@dsh/session'
import { decodeRecord } from './decode.js'
import type { DriverHandle, StoredRecord } from './driver.js'

const headerFields = ['id', 'createdAt', 'cwd', 'parentSession', 'seedLength', 'delegationDepth'] as const

/**
 * Whether the stored session is a prefix of the live one: the same header, no longer, and the same last event.
 * @throws SESSION_ALREADY_EXISTS for another incarnation, SEQ_CONFLICT for a log that is longer or differs; both lengths
 *   are named
 */
export async function requirePrefix(handle: DriverHandle, session: Session): Promise<void> {
  const stored = handle.nextSeq
  const live = session.seq
  const lengths = `the stored log has ${stored} events, the live one ${live}`
  const details = { storedSeq: stored, liveSeq: live }
  const field = headerFields.find(name => handle.header[name] !== session.header[name])
  if (field !== undefined) {
    throw new SessionError('SESSION_ALREADY_EXISTS', {
      expected: `the stored session to be the live one, with ${describe(session.header, field)}`,
      found: `${describe(handle.header, field)}; ${lengths}`,
      session: session.id,
      details: { ...details, field },
    })
  }
  if (stored > live) {
    throw new SessionError('SEQ_CONFLICT', {
      expected: 'a stored log that is a prefix of the live one',
      found: `a longer one; ${lengths}`,
      session: session.id,
      details,
    })
  }
  if (stored === 0) return
  const last = await lastEvent(handle, stored)
  if (last !== undefined && sameEvent(last, session.eventAt(stored - 1))) return
  throw new SessionError('SEQ_CONFLICT', {
    expected: 'a stored log that is a prefix of the live one',
    found: `another event at the end of the stored log; ${lengths}`,
    session: session.id,
    seq: stored - 1,
    details,
  })
}

/** How many of `records` the storage holds, which starts with the first of them or holds none. */
export async function countStored(handle: DriverHandle, records: readonly StoredRecord[]): Promise<number> {
  const from = records[0]!.seq
  let count = 0
  for await (const batch of handle.read({ from })) {
    for (const record of batch) {
      const own = records[count]
      if (own === undefined || !sameRecord(record, own)) {
        throw new SessionError('SEQ_CONFLICT', {
          expected: 'the records of the interrupted write, or none',
          found: 'others in their place',
          session: handle.header.id,
          seq: record.seq,
          details: { expectedSeq: from, currentSeq: handle.nextSeq },
        })
      }
      count++
    }
  }
  return count
}

async function lastEvent(handle: DriverHandle, nextSeq: number): Promise<SessionEvent | undefined> {
  for await (const [record] of handle.read({ from: nextSeq - 1, reverse: true })) {
    if (record !== undefined) return decodeRecord(record, handle.header.id).at(-1)
  }
  return undefined
}

function sameEvent(left: SessionEvent, right: SessionEvent): boolean {
  const [[one], [other]] = [encodeRows([left], { pack: false }), encodeRows([right], { pack: false })]
  return sameBytes(one!.body, other!.body)
}

function sameRecord(left: StoredRecord, right: StoredRecord): boolean {
  return left.seq === right.seq && left.count === right.count && sameBytes(left.body, right.body)
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

function describe(header: SessionHeader, field: keyof SessionHeader): string {
  return `${field} ${JSON.stringify(header[field]) ?? 'absent'}`
}
