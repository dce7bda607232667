import type { StoredRecord } from '@dsh/persistence/driver'
import type { OpenLog } from './open-log.js'
import type { BatchEdge } from './scan.js'
import type { ByteSource } from './source.js'

/** One part of a log as far as commit lines vouch for it. */
export interface PartSnapshot {
  readonly source: ByteSource
  readonly seed: number
  readonly start: BatchEdge
  /** After the last commit line. */
  readonly end: BatchEdge
}

/** Kept records that no commit line covers: in memory, or, of a log without any, still in the file up to `end`. */
export type LooseTail = readonly StoredRecord[] | { readonly end: number; readonly next: number }

/** What a read sees, however the log goes on meanwhile. */
export interface LogSnapshot {
  readonly session: string
  readonly parts: readonly PartSnapshot[]
  readonly loose: LooseTail
  /** The records of all parts, where they are in memory. */
  readonly held?: readonly StoredRecord[][]
}

/** The log as it was found when it was opened or, with the place after a later commit line, as far as that. */
export function snapshotLog(log: OpenLog, edge: BatchEdge = log.tail.edge): LogSnapshot {
  const { header, parts, last, tail } = log
  const snapshots = parts.map(({ source, seed, start, size }, index): PartSnapshot => {
    const successor = parts[index + 1]
    return { source, seed, start, end: successor ? { byte: size, next: successor.start.next } : edge }
  })
  const hasMoved = edge.byte > tail.edge.byte
  const loose = hasMoved || tail.end === last.start.byte ? [] : (tail.kept ?? { end: tail.end, next: tail.next })
  return { session: header.id, parts: snapshots, loose }
}
