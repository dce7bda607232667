import type { FoundCommit } from './commit-line.js'
import { MAX_COMMIT_LENGTH, parseCommitLine } from './commit-line.js'
import type { BatchEdge } from './scan.js'
import type { ByteSource } from './source.js'
import { readRange } from './source.js'

/** Searching on in steps of this size costs less than reading a batch too many. */
const CLOSE_ENOUGH = 64 * 1024
const STEP = 64 * 1024

/**
 * A place from which reading meets the batch that holds event `seq`, by a binary search over the commit lines between
 * `start` and `end`. Nothing that it looks at is verified: whoever reads on from there has to expect `next`, and falls
 * back to `start` if that is not what comes.
 */
export async function seekBatch(source: ByteSource, start: BatchEdge, end: number, seq: number): Promise<BatchEdge> {
  let low = start
  let high = end
  while (high - low.byte > CLOSE_ENOUGH) {
    const middle = low.byte + Math.floor((high - low.byte) / 2)
    const found = await findCommitAfter(source, middle, high)
    if (!found) high = middle
    else if (found.commit.next <= seq) low = { byte: found.end, next: found.commit.next }
    else high = Math.max(low.byte, Math.min(middle, found.start - found.commit.bytes))
  }
  return low
}

/** The first commit line that starts after `from` and ends by `end`. */
export async function findCommitAfter(source: ByteSource, from: number, end: number): Promise<FoundCommit | undefined> {
  let carry: Buffer = Buffer.alloc(0)
  for (let at = from; at < end; ) {
    const read = await readRange(source, at, Math.min(end, at + STEP))
    if (read.length === 0) return undefined
    const window = carry.length === 0 ? read : Buffer.concat([carry, read])
    const offset = at - carry.length
    // The first line is met in its middle.
    let lineStart = window.indexOf(0x0a) + 1
    for (let feed = 0; lineStart > 0; lineStart = feed + 1) {
      feed = window.indexOf(0x0a, lineStart)
      if (feed < 0) break
      const commit = parseCommitLine(window, lineStart, feed)
      if (commit) return { commit, start: offset + lineStart, end: offset + feed + 1 }
    }
    // What is too long for a commit line already is met in its middle again.
    const rest = lineStart > 0 ? window.length - lineStart : MAX_COMMIT_LENGTH
    carry = rest < MAX_COMMIT_LENGTH ? window.subarray(lineStart - 1) : Buffer.alloc(0)
    at += read.length
  }
  return undefined
}
