import { crc32 } from 'node:zlib'
import type { StoredRecord, TolerantItem } from '@dsh/persistence/driver'
import type { Block } from './blocks.js'
import { parseCommitLine } from './commit-line.js'
import { findRows } from './find-rows.js'
import { checkLine, isBlank } from './row.js'

/**
 * Takes records out of lines, each checked in full and whatever lies around it. A batch that lacks its checksum is named,
 * since one of its records may read well and be altered all the same.
 */
export class TolerantLines {
  private readonly seed: number | undefined
  private crc: number
  private batchStart: number
  private items: TolerantItem[] = []
  private records: StoredRecord[] = []

  /** @param seed crc32 of the header line; without it no checksum is looked at */
  constructor(start: number, seed: number | undefined) {
    this.batchStart = start
    this.seed = seed
    this.crc = seed ?? 0
  }

  /** What is in the next block. */
  add({ bytes, start: offset }: Block): TolerantItem[] {
    let uncovered = 0
    for (let start = 0; start < bytes.length; ) {
      const feed = bytes.indexOf(0x0a, start)
      const end = feed < 0 ? bytes.length : feed
      const commit = parseCommitLine(bytes, start, end)
      if (commit) {
        const crc = crc32(bytes.subarray(uncovered, start + commit.covered), this.crc)
        const isWhole = crc === commit.crc && commit.bytes === offset + start - this.batchStart
        if (!isWhole && this.seed !== undefined) this.reportBatch(offset + end + 1)
        this.crc = this.seed ?? 0
        this.batchStart = offset + end + 1
        uncovered = end + 1
      } else {
        this.take(bytes, start, end, offset)
      }
      start = end + 1
    }
    this.crc = crc32(bytes.subarray(uncovered), this.crc)
    return this.drain()
  }

  private take(bytes: Buffer, start: number, end: number, offset: number): void {
    try {
      this.records.push(checkLine(bytes, start, end))
    } catch (error) {
      if (isBlank(bytes, start, end)) return
      const found = findRows(bytes, start, end)
      const rest = found.reduce((sum, record) => sum - record.body.length, end - start)
      this.report({ kind: 'unreadable', reason: (error as Error).message, byte: offset + start, bytes: rest })
      this.records.push(...found)
    }
  }

  private reportBatch(end: number): void {
    const reason = 'the batch does not have its checksum; records of it may be altered'
    this.report({ kind: 'unreadable', reason, byte: this.batchStart, bytes: end - this.batchStart })
  }

  private report(item: TolerantItem): void {
    this.keepRecords()
    this.items.push(item)
  }

  private keepRecords(): void {
    if (this.records.length > 0) this.items.push({ kind: 'records', records: this.records })
    this.records = []
  }

  private drain(): TolerantItem[] {
    this.keepRecords()
    const { items } = this
    this.items = []
    return items
  }
}
