import { crc32 } from 'node:zlib'
import type { Block } from './blocks.js'
import type { CommitLine } from './commit-line.js'
import { parseCommitLine, startsCommitLine } from './commit-line.js'
import type { Damage } from './damage.js'

/** A place between two batches. */
export interface BatchEdge {
  readonly byte: number
  /** The sequence number that follows. */
  readonly next: number
  /** Lines before it in the file, where they are known. */
  readonly lines?: number
}

/** Why a batch is not right. */
export interface Fault {
  readonly expected: string
  readonly found: string
}

/** What is done with the lines of the batches that a {@link BatchScanner} walks over. */
export interface BatchVisitor {
  /** A line that is no commit line, from `start` to before its line feed at `end`. */
  line(block: Block, start: number, end: number): void
  /** The batch ends, its checksum agrees. Returns why it is not accepted all the same. */
  seal(commit: CommitLine): Fault | undefined
}

/** Walks over blocks of lines, and holds each batch against the commit line that ends it. */
export class BatchScanner {
  private readonly seed: number
  private readonly visitor: BatchVisitor
  private crc: number
  private byte: number
  private next: number
  private lines: number | undefined
  /** Lines before the batch that is being read. */
  private linesBefore: number | undefined

  /** @param seed crc32 of the part's header line */
  constructor(seed: number, start: BatchEdge, visitor: BatchVisitor) {
    this.seed = seed
    this.visitor = visitor
    this.crc = seed
    this.byte = start.byte
    this.next = start.next
    this.lines = start.lines
    this.linesBefore = start.lines
  }

  /** Where the last accepted batch ends. */
  get edge(): BatchEdge {
    const { byte, next, linesBefore: lines } = this
    return { byte, next, ...(lines !== undefined && { lines }) }
  }

  /** Takes the next block. Returns the first damage, after which the scanner is of no further use. */
  scan(block: Block): Damage | undefined {
    const { bytes, start: offset } = block
    let uncovered = 0
    for (let start = 0; start < bytes.length; ) {
      const feed = bytes.indexOf(0x0a, start)
      const end = feed < 0 ? bytes.length : feed
      if (!startsCommitLine(bytes, start)) {
        this.visitor.line(block, start, end)
      } else {
        const commit = feed < 0 ? undefined : parseCommitLine(bytes, start, end)
        if (!commit) return this.damage({ expected: 'a commit line', found: 'one that is malformed' })
        const length = offset + start - this.byte
        const crc = crc32(bytes.subarray(uncovered, start + commit.covered), this.crc)
        const fault = this.check(commit, length, crc) ?? this.visitor.seal(commit)
        if (fault) return this.damage(fault)
        uncovered = end + 1
        this.crc = this.seed
        this.byte = offset + uncovered
        this.next = commit.next
        if (this.lines !== undefined) this.linesBefore = this.lines + 1
      }
      if (this.lines !== undefined) this.lines++
      start = end + 1
    }
    this.crc = crc32(bytes.subarray(uncovered), this.crc)
    return undefined
  }

  /** The damage of a log that ends at `end`, if that is not where a batch does. */
  finish(end: number): Damage | undefined {
    if (this.byte === end) return undefined
    return this.damage({ expected: 'a commit line', found: `${end - this.byte} bytes that none covers` })
  }

  private check(commit: CommitLine, length: number, crc: number): Fault | undefined {
    if (commit.bytes !== length) {
      return { expected: `a batch of ${commit.bytes} bytes, as its commit line says`, found: `${length} bytes` }
    }
    if (commit.crc === crc) return undefined
    return { expected: `a batch with the checksum ${commit.crc}, as its commit line says`, found: `${crc}` }
  }

  private damage(fault: Fault): Damage {
    const { byte, next: seq, linesBefore: lines } = this
    return { byte, seq, ...fault, ...(lines !== undefined && { line: lines + 1 }) }
  }
}
