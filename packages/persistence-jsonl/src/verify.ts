import { crc32 } from 'node:zlib'
import type { StoredRecord } from '@dsh/persistence/driver'
import { BatchRows } from './batch-rows.js'
import { readBlocks } from './blocks.js'
import type { CommitLine } from './commit-line.js'
import { parseCommitLine } from './commit-line.js'
import type { Damage, LostRange } from './damage.js'
import { describeLine } from './row.js'
import type { BatchEdge } from './scan.js'
import { BatchScanner } from './scan.js'
import type { ByteSource } from './source.js'

/** Where batches were accepted up to, and what ended that. */
export interface Verification {
  readonly edge: BatchEdge
  readonly damage?: Damage
}

/**
 * Holds the batches from `start` to `end` against their checksums, and their rows against each other.
 * @param each takes the records of the batches that are right, which then stay in memory
 */
export async function verifyBatches(
  source: ByteSource,
  seed: number,
  start: BatchEdge,
  end: number,
  each?: (records: StoredRecord[]) => void,
): Promise<Verification> {
  const rows = new BatchRows(start.next)
  const scanner = new BatchScanner(seed, start, rows)
  for await (const block of readBlocks(source, start.byte, end, { retain: each !== undefined })) {
    const damage = scanner.scan(block)
    const records = rows.take()
    if (records.length > 0) each?.(records)
    if (damage) return { edge: scanner.edge, damage }
  }
  const damage = scanner.finish(end)
  return { edge: scanner.edge, ...(damage && { damage }) }
}

/** Whether the batch before the commit line at `start` has its checksum. */
export async function batchVerifies(
  source: ByteSource,
  seed: number,
  floor: number,
  start: number,
  commit: CommitLine,
): Promise<boolean> {
  const batchStart = start - commit.bytes
  if (batchStart < floor) return false
  return (await crcOfRange(source, batchStart, start + commit.covered, seed)) === commit.crc
}

const CRC_STEP = 1024 * 1024

/** crc32 of the bytes from `start` to `end`, continued from `seed`. */
export async function crcOfRange(source: ByteSource, start: number, end: number, seed: number): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CRC_STEP, end - start))
  let crc = seed
  for (let at = start; at < end; ) {
    const count = await source.read(buffer.subarray(0, Math.min(buffer.length, end - at)), at)
    if (count === 0) break
    crc = crc32(buffer.subarray(0, count), crc)
    at += count
  }
  return crc
}

/** What a region that starts with a batch that is not right can be. */
export type Verdict = { readonly kind: 'torn' } | { readonly kind: 'damaged'; readonly lost: LostRange }

/**
 * Tells a torn tail from damage. Every commit line is synced before the next byte is written, so a batch followed by one
 * that verifies had been synced too; and a power cut leaves a short file or zeros, so a region with a commit line and
 * without a NUL is not the work of one.
 * @param damage at the start of the region, which ends at `end`
 */
export async function judgeRegion(source: ByteSource, seed: number, damage: Damage, end: number): Promise<Verdict> {
  const { byte: start, seq: fromSeq } = damage
  const lost: LostRange = { fromSeq, fromByte: start, toByte: end }
  let hasCommit = false
  let hasNul = false
  // Commit lines that lie about their size could make this quadratic.
  let budget = 4 * (end - start)
  for await (const { bytes, start: offset } of readBlocks(source, start, end)) {
    hasNul ||= bytes.includes(0)
    for (const { at, commit } of commitLines(bytes)) {
      hasCommit = true
      const batchStart = offset + at - commit.bytes
      if (batchStart <= start) continue
      budget -= commit.bytes
      if (budget < 0) return { kind: 'damaged', lost }
      if (!(await batchVerifies(source, seed, start, offset + at, commit))) continue
      const toSeq = await firstSeqAt(source, batchStart, offset + at)
      return { kind: 'damaged', lost: { ...lost, toByte: batchStart, ...(toSeq !== undefined && { toSeq }) } }
    }
  }
  return hasCommit && !hasNul ? { kind: 'damaged', lost } : { kind: 'torn' }
}

function* commitLines(bytes: Buffer): Generator<{ at: number; commit: CommitLine }> {
  for (let at = 0, feed = 0; at < bytes.length; at = feed + 1) {
    feed = bytes.indexOf(0x0a, at)
    if (feed < 0) return
    const commit = parseCommitLine(bytes, at, feed)
    if (commit) yield { at, commit }
  }
}

/** The sequence number of the first row between `start` and `end`; undefined when there is none. */
export async function firstSeqAt(source: ByteSource, start: number, end: number): Promise<number | undefined> {
  for await (const { bytes } of readBlocks(source, start, end)) {
    for (let at = 0; at < bytes.length; ) {
      const feed = bytes.indexOf(0x0a, at)
      if (feed < 0) return undefined
      try {
        return describeLine(bytes, at, feed).seq
      } catch {
        at = feed + 1
      }
    }
  }
  return undefined
}
