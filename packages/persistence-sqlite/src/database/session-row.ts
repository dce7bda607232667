import type { SessionHeader, SessionId } from '@dsh/session'
import { SESSION_FORMAT_VERSION, SessionError } from '@dsh/session'
import { keyOf, textOfKey } from '../session-key.js'
import type { SessionFacts } from './checksum.js'
import { sessionChecksum } from './checksum.js'
import type { Database } from './database.js'

/** A row of the table `sessions`. */
export interface SessionRow extends SessionFacts {
  readonly no: number
  readonly crc: number
}

const numbers = ['next_seq', 'last_time', 'bytes', 'surfaces', 'in_turn', 'trashed', 'epoch', 'crc']

/** A number that rotted may be too large for JavaScript. It becomes another one, which the checksum tells of. */
export function safeNumber(column: string): string {
  return `max(min(${column}, ${Number.MAX_SAFE_INTEGER}), ${Number.MIN_SAFE_INTEGER})`
}

/** The columns of a row. */
export const SESSION_COLUMNS = ['no', 'key', 'header', ...numbers.map(name => `${safeNumber(name)} AS ${name}`)].join()

/** Names one incarnation of a stored session. */
export interface SessionRef {
  readonly no: number
  readonly id: SessionId
}

/**
 * The header of a session whose row is intact.
 * @throws SESSION_CORRUPT, FORMAT_UNSUPPORTED for a header of another format version
 */
export function readHeader(row: SessionRow, file: string): SessionHeader {
  const session = idOf(row)
  if (sessionChecksum(row) !== row.crc) throw damaged('a session that fits its checksum', 'another one', file, session)
  const header = JSON.parse(row.header) as SessionHeader
  if (header.version !== SESSION_FORMAT_VERSION) {
    const relation = header.version > SESSION_FORMAT_VERSION ? 'newer' : 'older'
    throw new SessionError('FORMAT_UNSUPPORTED', {
      expected: `format version ${SESSION_FORMAT_VERSION}`,
      found: `the ${relation} version ${header.version}`,
      file,
      session,
      details: { version: header.version },
    })
  }
  if (!Buffer.from(row.key).equals(keyOf(header.id))) {
    throw damaged(`the key of ${JSON.stringify(header.id)}`, `that of ${JSON.stringify(session)}`, file, session)
  }
  return Object.freeze(header)
}

/** Writes what an append or a taking-over changes of a session. `trashed`, which all indexes depend on, stays as it is. */
export function updateSession(database: Database, no: number, facts: SessionFacts): void {
  const { next_seq, last_time, bytes, surfaces, in_turn, epoch } = facts
  database.run(
    `UPDATE sessions SET next_seq = ?, last_time = ?, bytes = ?, surfaces = ?, in_turn = ?, epoch = ?, crc = ? WHERE no = ?`,
    ...[next_seq, last_time, bytes, surfaces, in_turn, epoch, sessionChecksum(facts), no],
  )
}

/** Writes where a session is: 0 for its place among the others. What is damaged stays so. */
export function moveSession(database: Database, row: SessionRow, trashed: number): void {
  const crc = sessionChecksum(row) === row.crc ? sessionChecksum({ ...row, trashed }) : row.crc
  database.run('UPDATE sessions SET trashed = ?, crc = ? WHERE no = ?', trashed, crc, row.no)
}

/** The id that a session is found by. */
export function idOf(row: Pick<SessionRow, 'key'>): SessionId {
  return textOfKey(row.key) as SessionId
}

/** @throws SESSION_NOT_FOUND */
export function requireFound<T>(row: T | undefined, file: string, session: SessionId): T {
  if (row !== undefined) return row
  throw new SessionError('SESSION_NOT_FOUND', { expected: 'a stored session', found: 'none', file, session })
}

export function damaged(expected: string, found: string, file: string, session: string, seq?: number): SessionError {
  return new SessionError('SESSION_CORRUPT', { expected, found, file, session, ...(seq !== undefined && { seq }) })
}
