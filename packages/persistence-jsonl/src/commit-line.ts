import { crc32 } from 'node:zlib'

/** The last line of a durable batch. */
export interface CommitLine {
  /** The sequence number after the batch. */
  readonly next: number
  /** Time of the batch's last event, Unix epoch milliseconds. */
  readonly time: number
  /** Bytes of the batch: from the end of the previous commit line, or of the header line, to the start of this one. */
  readonly bytes: number
  /** crc32 of the header line, continued over the batch and over this line as far as {@link covered}. */
  readonly crc: number
  /** How many bytes of this line the checksum covers. */
  readonly covered: number
}

/** No commit line is longer. */
export const MAX_COMMIT_LENGTH = 160

const marker = Buffer.from('{"type":"commit",')
const nextKey = Buffer.from('"next":')
const timeKey = Buffer.from(',"time":')
const bytesKey = Buffer.from(',"bytes":')
const crcKey = Buffer.from(',"crc":')
const MINUS = 0x2d
const ZERO = 0x30
const CLOSING_BRACE = 0x7d

/**
 * Formats the line, with its line feed, that ends a batch.
 * @param crc of header line and batch
 */
export function formatCommitLine(next: number, time: number, bytes: number, crc: number): Buffer {
  const covered = `{"type":"commit","next":${next},"time":${time},"bytes":${bytes}`
  return Buffer.from(`${covered},"crc":${crc32(covered, crc)}}\n`, 'latin1')
}

/** Whether the line that starts at `start` says that it is a commit line, well formed or not. */
export function startsCommitLine(block: Buffer, start: number): boolean {
  // The distinguishing byte first: this runs once a line.
  if (block[start + 9] !== marker[9]) return false
  for (let index = 0; index < marker.length; index++) if (block[start + index] !== marker[index]) return false
  return true
}

/** Reads the line, without its line feed, from `start` to `end` of `block`; undefined when it is no commit line. */
export function parseCommitLine(block: Buffer, start: number, end: number): CommitLine | undefined {
  if (end - start >= MAX_COMMIT_LENGTH || !startsCommitLine(block, start)) return undefined
  const line = new CommitScanner(block, start + marker.length, end)
  const next = line.field(nextKey)
  const time = line.field(timeKey)
  const bytes = line.field(bytesKey)
  const covered = line.at - start
  const crc = line.field(crcKey)
  // Also a number that is not whole, or not written the one way that it is, is NaN.
  if (!(next >= 0 && bytes >= 0 && crc >= 0 && crc <= 0xffffffff) || Number.isNaN(time)) return undefined
  return line.closes() ? { next, time, bytes, crc, covered } : undefined
}

/** Reads the fields of a commit line byte by byte: a log of small batches has hundreds of thousands of them. */
class CommitScanner {
  at: number
  private readonly block: Buffer
  private readonly end: number

  constructor(block: Buffer, at: number, end: number) {
    this.block = block
    this.at = at
    this.end = end
  }

  /** Steps over `key` and the safe integer after it; NaN when something else comes. */
  field(key: Buffer): number {
    const { block } = this
    let { at } = this
    for (let index = 0; index < key.length; index++) if (block[at++] !== key[index]) return Number.NaN
    const negative = block[at] === MINUS
    if (negative) at++
    const first = at
    let value = 0
    for (; at < this.end; at++) {
      const digit = block[at]! - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    this.at = at
    const isCanonical = at - first === 1 ? !negative || value > 0 : at > first && block[first] !== ZERO
    return isCanonical && value <= Number.MAX_SAFE_INTEGER ? (negative ? -value : value) : Number.NaN
  }

  closes(): boolean {
    return this.at === this.end - 1 && this.block[this.at] === CLOSING_BRACE
  }
}

/** A commit line and where it lies in a window. */
export interface FoundCommit {
  readonly commit: CommitLine
  readonly start: number
  /** After its line feed. */
  readonly end: number
}

/**
 * The last well-formed commit line, line feed included, in `window`.
 * @param atLineStart whether a line starts where the window does
 */
export function findLastCommit(window: Buffer, atLineStart: boolean): FoundCommit | undefined {
  let before = window.length
  while (before > 0) {
    const start = window.lastIndexOf(marker, before - 1)
    if (start < 0) return undefined
    before = start
    if (start === 0 ? !atLineStart : window[start - 1] !== 0x0a) continue
    const feed = window.indexOf(0x0a, start)
    const commit = feed < 0 ? undefined : parseCommitLine(window, start, feed)
    if (commit) return { commit, start, end: feed + 1 }
  }
  return undefined
}
