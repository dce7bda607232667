import { crc32 } from 'node:zlib'

/**
 * The checksum of a record: of its other columns as text, then of its body.
 * @param head as {@link recordHead} or the expression of the same name makes it
 */
export function recordChecksum(head: string, body: Uint8Array): number {
  return crc32(body, crc32(head))
}

/** The columns of a record besides its body, as the checksum covers them. */
export function recordHead(seq: number, count: number, time: number, surface: number, version: number, type: string) {
  return `${seq} ${count} ${time} ${surface} ${version} ${type}`
}

/** {@link recordHead} in SQL. */
export const RECORD_HEAD = `seq || ' ' || count || ' ' || time || ' ' || surface || ' ' || version || ' ' || type`

/** The columns of a session that its checksum covers; the others follow from its header. */
export interface SessionFacts {
  readonly header: string
  readonly next_seq: number
  readonly last_time: number
  readonly bytes: number
  readonly in_turn: number
  readonly trashed: number
  readonly epoch: number
}

export function sessionChecksum(facts: SessionFacts): number {
  const { header, next_seq, last_time, bytes, in_turn, trashed, epoch } = facts
  return crc32(`${next_seq} ${last_time} ${bytes} ${in_turn} ${trashed} ${epoch} ${header}`)
}
