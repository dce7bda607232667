import { crc32 } from 'node:zlib'

/**
 * The checksum of a record: of its other columns as text, then of its body.
 * @param head as {@link recordHead} or the expression of the same name makes it
 */
export function recordChecksum(head: string, body: Uint8Array): number {
  return crc32(body, crc32(head))
}

/** The columns of a record that its checksum covers, besides its body. */
export interface RecordFacts {
  readonly seq: number
  readonly count: number
  readonly time: number
  /** 1 on the surface, else 0. */
  readonly surface: number
  /** How many records of the session are on the surface, up to this one. */
  readonly surfaces: number
  readonly version: number
  readonly type: string
}

/** The columns of a record besides its body as one text. */
export function recordHead({ seq, count, time, surface, surfaces, version, type }: RecordFacts): string {
  return `${seq} ${count} ${time} ${surface} ${surfaces} ${version} ${type}`
}

/** {@link recordHead} in SQL. */
export const RECORD_HEAD = `seq || ' ' || count || ' ' || time || ' ' || surface || ' ' || surfaces || ' ' || version || ' ' || type`

/** The columns of a session that its checksum covers; the others follow from its header. */
export interface SessionFacts {
  readonly key: Uint8Array
  readonly header: string
  readonly next_seq: number
  readonly last_time: number
  readonly bytes: number
  readonly surfaces: number
  readonly in_turn: number
  readonly trashed: number
  readonly epoch: number
}

export function sessionChecksum(facts: SessionFacts): number {
  const { key, header, next_seq, last_time, bytes, surfaces, in_turn, trashed, epoch } = facts
  const text = `[${next_seq},${last_time},${bytes},${surfaces},${in_turn},${trashed},${epoch},${header}]`
  return sessionChecksumOf(key, text)
}

/** As {@link sessionChecksum}, of the other columns as {@link SESSION_FACTS} gives them. */
export function sessionChecksumOf(key: Uint8Array, facts: string): number {
  return crc32(facts, crc32(key))
}

/** The columns besides the key as a JSON array: what the checksum covers is also what a list can parse. */
export const SESSION_FACTS = `'[' || concat_ws(',', next_seq, last_time, bytes, surfaces, in_turn, trashed, epoch, header) || ']'`
