import { crc32 } from 'node:zlib'
import type { StoredRecord } from '@dsh/persistence/driver'
import { formatCommitLine } from './commit-line.js'

/** A reader holds a batch in memory until it has seen its checksum, and a search reads one that it does not need. */
const BATCH_BYTES = 1024 * 1024

const LINE_FEED = 0x0a

/** Bytes before the batch that its commit line has to cover as well. */
export interface Uncovered {
  /** Their crc32, continued from the header line's. */
  readonly crc: number
  readonly bytes: number
  /** Whether they lack the line feed of their last line. */
  readonly unterminated: boolean
}

/** The lines of a batch with the commit line that ends it. */
export interface EncodedBatch {
  readonly bytes: Buffer
  /** The sequence number after it. */
  readonly next: number
}

/**
 * Encodes records as one batch or, when they are many, several, each with its commit line. Without records the batch
 * only covers what lies before it.
 * @param time for the commit line of a batch without records
 */
export function* encodeBatches(
  records: readonly StoredRecord[],
  seed: number,
  next: number,
  time: number,
  uncovered: Uncovered = { crc: seed, bytes: 0, unterminated: false },
): Generator<EncodedBatch> {
  let before = uncovered
  let start = 0
  do {
    let bytes = 0
    let end = start
    for (; end < records.length && (end === start || bytes < BATCH_BYTES); end++) bytes += records[end]!.body.length + 1
    const last = records[end - 1]
    const after = last ? last.seq + last.count : next
    yield { bytes: encode(records.slice(start, end), before, bytes, after, last?.time ?? time), next: after }
    before = { crc: seed, bytes: 0, unterminated: false }
    start = end
  } while (start < records.length)
}

function encode(
  records: readonly StoredRecord[],
  before: Uncovered,
  length: number,
  next: number,
  time: number,
): Buffer {
  const seal = before.unterminated ? 1 : 0
  const lines = Buffer.allocUnsafe(seal + length)
  if (before.unterminated) lines[0] = LINE_FEED
  let at = seal
  for (const { body } of records) {
    lines.set(body, at)
    at += body.length
    lines[at++] = LINE_FEED
  }
  const commit = formatCommitLine(next, time, before.bytes + lines.length, crc32(lines, before.crc))
  return Buffer.concat([lines, commit])
}
