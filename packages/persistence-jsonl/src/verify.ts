import { crc32 } from 'node:zlib'
import type { Block } from './blocks.js'
import { readBlocks } from './blocks.js'
import type { CommitLine } from './commit-line.js'
import { parseCommitLine } from './commit-line.js'
import type { Damage, LostRange } from './damage.js'
import { seqOfLine } from './row.js'
import type { BatchEdge, BatchVisitor, Fault } from './scan.js'
import { BatchScanner } from './scan.js'
import type { ByteSource } from './source.js'

/** Where batches were accepted up to, and what ended that. */
export interface Verification {
  readonly edge: BatchEdge
  readonly damage?: Damage
}

/** Holds the batches from `start` to `end` against their checksums, and their order against their first rows. */
export async function verifyBatches(
  source: ByteSource,
  seed: number,
  start: BatchEdge,
  end: number,
): Promise<Verification> {
  const scanner = new BatchScanner(seed, start, new BatchOrder(start.next))
  for await (const block of readBlocks(source, start.byte, end)) {
    const damage = scanner.scan(block)
    if (damage) return { edge: scanner.edge, damage }
  }
  const damage = scanner.finish(end)
  return { edge: scanner.edge, ...(damage && { damage }) }
}

/** Batches that verify were right when they were written; what remains to be told is a batch in a wrong place. */
class BatchOrder implements BatchVisitor {
  private next: number
  private first: number | undefined

  constructor(next: number) {
    this.next = next
  }

  line({ bytes }: Block, start: number, end: number): void {
    // Lines that are passed over have none.
    this.first ??= seqOfLine(bytes, start, end)
  }

  seal(commit: CommitLine): Fault | undefined {
    const { first = this.next, next } = this
    if (first !== next) return { expected: `the row of event ${next}`, found: `that of ${first}` }
    const isLonger = this.first === undefined ? commit.next === next : commit.next > next
    if (!isLonger) return { expected: `a commit line beyond event ${next}`, found: `one up to ${commit.next}` }
    this.next = commit.next
    this.first = undefined
    return undefined
  }
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
      const seq = seqOfLine(bytes, at, feed)
      if (seq !== undefined) return seq
      at = feed + 1
    }
  }
  return undefined
}
