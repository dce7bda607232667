import type { ErrorPlace } from '@dsh/session'
import { SessionError } from '@dsh/session'

/** Where a log stops being what was written, and why. */
export interface Damage {
  /** Start of the first batch, or line, that is not right. */
  readonly byte: number
  /** 1-based line in its file; absent when the log was not read from its start. */
  readonly line?: number
  /** The sequence number that was expected there. */
  readonly seq: number
  readonly expected: string
  readonly found: string
}

/** What lies between the last good batch before a damage and the first after it. */
export interface LostRange {
  /** First lost sequence number. */
  readonly fromSeq: number
  /** The first that can be read again; absent when nothing after the damage can. */
  readonly toSeq?: number
  readonly fromByte: number
  readonly toByte: number
}

export function corruptError(damage: Damage, file: string, session: string, lost?: LostRange): SessionError {
  const { byte, line, seq, expected, found } = damage
  const place: ErrorPlace = { byte, seq, file, session, ...(line !== undefined && { line }) }
  return new SessionError('SESSION_CORRUPT', { expected, found, ...place, ...(lost && { details: { lost } }) })
}
