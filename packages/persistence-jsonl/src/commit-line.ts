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
const grammar =
  /^\{"type":"commit","next":(0|[1-9]\d{0,15}),"time":(-?(?:0|[1-9]\d{0,15})),"bytes":(0|[1-9]\d{0,15}),"crc":(0|[1-9]\d{0,9})\}$/
const COVER_END = ',"crc"'

/**
 * Formats the line, with its line feed, that ends a batch.
 * @param crc of header line and batch
 */
export function formatCommitLine(next: number, time: number, bytes: number, crc: number): Buffer {
  const covered = `{"type":"commit","next":${next},"time":${time},"bytes":${bytes}`
  return Buffer.from(`${covered}${COVER_END}:${crc32(covered, crc)}}\n`, 'latin1')
}

/** Whether the line that starts at `start` says that it is a commit line, well formed or not. */
export function startsCommitLine(block: Buffer, start: number): boolean {
  // The distinguishing byte first: this runs once a line.
  return block[start + 9] === 0x63 && block.compare(marker, 0, marker.length, start, start + marker.length) === 0
}

/** Reads the line, without its line feed, from `start` to `end` of `block`; undefined when it is no commit line. */
export function parseCommitLine(block: Buffer, start: number, end: number): CommitLine | undefined {
  if (end - start >= MAX_COMMIT_LENGTH) return undefined
  const line = block.toString('latin1', start, end)
  const fields = grammar.exec(line)
  if (!fields) return undefined
  const [next, time, bytes, crc] = [Number(fields[1]), Number(fields[2]), Number(fields[3]), Number(fields[4])]
  if (![next, time, bytes].every(Number.isSafeInteger)) return undefined
  return { next, time, bytes, crc, covered: line.lastIndexOf(COVER_END) }
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
