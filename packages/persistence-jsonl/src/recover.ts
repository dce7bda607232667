import type { StoredRecord } from '@dsh/persistence/driver'
import type { FoundCommit } from './commit-line.js'
import type { Damage } from './damage.js'
import { corruptError } from './damage.js'
import { edgeAt } from './edge.js'
import { LooseRows, readLooseRows } from './loose-rows.js'
import type { BatchEdge } from './scan.js'
import type { ByteSource } from './source.js'
import { readRange } from './source.js'
import { findTail } from './tail.js'
import { batchVerifies, firstSeqAt, judgeRegion, verifyBatches } from './verify.js'

/** One part of a log, as it is found. */
export interface LogPart {
  readonly session: string
  readonly source: ByteSource
  /** Bytes in the file. */
  readonly size: number
  /** After the header line. */
  readonly start: BatchEdge
  /** crc32 of the header line. */
  readonly seed: number
}

/** How far the last part of a log can be used. */
export interface TailState {
  /** After the last batch with a commit line. */
  readonly edge: BatchEdge
  /** After the last byte that is kept; the file may be longer. */
  readonly end: number
  /** The sequence number after the last event that is kept. */
  readonly next: number
  /** Time of the last event; absent when there is none. */
  readonly lastTime?: number
  /** The records between edge and end; absent when they are to be read from the file, as those of a foreign log are. */
  readonly kept?: readonly StoredRecord[]
  readonly keptEvents: number
  /** Whether the last kept line lacks its line feed. */
  readonly unterminated: boolean
  readonly notes: readonly string[]
}

/** How much of a log is read to find its end. */
export interface RecoverOptions {
  /** Whether every batch is read, or only the last. */
  readonly thorough: boolean
  readonly isOnlyPart: boolean
  /** Takes the records of the batches that are read and right. */
  readonly each?: ((records: StoredRecord[]) => void) | undefined
}

/**
 * Finds the end of a log by its last part, and tells a torn tail from damage. Pure over the source: nothing is written.
 *
 * The last commit line, if it verifies, vouches for everything before it having been synced; so the batches before it are
 * only read with `thorough`, as a writer must, while a reader verifies what it reads.
 * @throws SESSION_CORRUPT
 */
export async function recoverTail(part: LogPart, options: RecoverOptions): Promise<TailState> {
  const { source, size, start, seed } = part
  const tail = await findTail(source, start.byte, size)
  if (!tail) return options.isOnlyPart ? recoverForeign(part) : recoverRegion(part, start, undefined)
  if (!options.thorough && (await standsInPlace(part, tail)))
    return recoverRegion(part, { byte: tail.end, next: tail.commit.next }, tail.commit.time)
  const { edge, damage } = await verifyBatches(source, seed, start, tail.end, options.each)
  if (!damage) return recoverRegion(part, edge, tail.commit.time)
  const verdict = await judgeRegion(source, seed, damage, size)
  if (verdict.kind === 'damaged') throw corruptError(damage, source.file, part.session, verdict.lost)
  const before = await findTail(source, start.byte, edge.byte)
  return recoverRegion(part, edge, before?.commit.time)
}

/** Whether the last batch has its checksum and goes on where the commit line before it ends. */
async function standsInPlace({ source, start, seed }: LogPart, tail: FoundCommit): Promise<boolean> {
  const { commit, start: end } = tail
  if (!(await batchVerifies(source, seed, start.byte, end, commit))) return false
  const before = await edgeAt((from, to) => readRange(source, from, to), start, end - commit.bytes)
  if (!before) return false
  const first = await firstSeqAt(source, before.byte, end)
  return first === undefined ? before.next === commit.next : before.next === first && first < commit.next
}

/** Keeps the leading rows of a tail that no commit line covers. */
async function recoverRegion(part: LogPart, edge: BatchEdge, time: number | undefined): Promise<TailState> {
  const rows = new LooseRows(edge, false)
  const kept: StoredRecord[] = []
  for await (const records of readLooseRows(part.source, rows, part.size)) for (const each of records) kept.push(each)
  return { ...tailState(rows, edge, time), kept }
}

/**
 * A log without any commit line was not written here. All of it is checked, white space between lines is accepted, and
 * only the last line may be torn.
 */
async function recoverForeign({ session, source, size, start }: LogPart): Promise<TailState> {
  const rows = new LooseRows(start, true)
  for await (const _ of readLooseRows(source, rows, size)) {
    // Counting them is enough; they are read again when they are asked for.
  }
  const { damage } = rows
  if (damage && !(rows.mayBeTorn && (await isLastLine(source, damage, size)))) {
    throw corruptError(damage, source.file, session, { fromSeq: damage.seq, fromByte: damage.byte, toByte: size })
  }
  return tailState(rows, start, undefined, ['no commit line vouches for this log', ...rows.notes])
}

function tailState(
  rows: LooseRows,
  edge: BatchEdge,
  time: number | undefined,
  notes: readonly string[] = rows.notes,
): TailState {
  const { next, end, unterminated } = rows
  const lastTime = rows.lastTime ?? time
  const keptEvents = next - edge.next
  return { edge, end, next, keptEvents, unterminated, notes, ...(lastTime !== undefined && { lastTime }) }
}

async function isLastLine(source: ByteSource, damage: Damage, size: number): Promise<boolean> {
  const step = Buffer.allocUnsafeSlow(Math.min(64 * 1024, size - damage.byte))
  for (let at = damage.byte; at < size; ) {
    const count = await source.read(step.subarray(0, Math.min(step.length, size - at)), at)
    if (count === 0) return true
    const feed = step.subarray(0, count).indexOf(0x0a)
    if (feed >= 0) return at + feed + 1 >= size
    at += count
  }
  return true
}
