import type { StoredRecord } from '@dsh/persistence/driver'
import type { Block, BlockOptions } from './blocks.js'
import { readBlocks } from './blocks.js'
import type { Damage } from './damage.js'
import { checkLine, isBlank, isWholeJson, sameBytes } from './row.js'
import type { BatchEdge } from './scan.js'
import type { ByteSource } from './source.js'

interface Suspect {
  readonly byte: number
  readonly line: number | undefined
  readonly found: string
  /** Whether it is a whole JSON text: then it was not cut short, and what follows cannot make up for it. */
  readonly isWhole: boolean
}

/**
 * Collects records from lines that no commit line covers. Each is checked in full. Two things that a writer which was
 * stopped and wrote again can leave behind are passed over and noted: the beginning of a row directly before the whole
 * of it, and a row twice in a row.
 */
export class LooseRows {
  next: number
  /** After the last line that was kept or passed over. */
  end: number
  lastTime: number | undefined
  /** Whether the last kept line has no line feed. */
  unterminated = false
  readonly notes: string[] = []
  /** Whether a whole row without its line feed counts. */
  private readonly keepUnterminated: boolean
  private records: StoredRecord[] = []
  private last: StoredRecord | undefined
  private lines: number | undefined
  private suspect: Suspect | undefined

  constructor(start: BatchEdge, keepUnterminated: boolean) {
    this.keepUnterminated = keepUnterminated
    this.next = start.next
    this.end = start.byte
    this.lines = start.lines
  }

  /**
   * Takes the next block. Returns false at a bad line that was not cut short, or at the second one in a row, after which
   * nothing more is taken.
   */
  add(block: Block): boolean {
    const { bytes, start: offset } = block
    for (let start = 0; start < bytes.length; ) {
      const feed = bytes.indexOf(0x0a, start)
      const end = feed < 0 ? bytes.length : feed
      if (this.lines !== undefined) this.lines++
      const found = feed < 0 && !this.keepUnterminated ? 'a line without its line feed' : this.take(bytes, start, end)
      if (found === undefined) {
        this.end = offset + Math.min(end + 1, bytes.length)
        this.unterminated = feed < 0
      } else if (this.suspect) {
        return false
      } else {
        const isWhole = isWholeJson(bytes.subarray(start, end))
        this.suspect = { byte: offset + start, line: this.lines, found, isWhole }
        if (isWhole) return false
      }
      start = end + 1
    }
    return true
  }

  /** The first line that is no row in its place, once everything was added. */
  get damage(): Damage | undefined {
    if (!this.suspect) return undefined
    const { byte, line, found } = this.suspect
    return {
      byte,
      seq: this.next,
      expected: `the row of event ${this.next}`,
      found,
      ...(line !== undefined && { line }),
    }
  }

  /** Whether the line of the {@link damage} may have been cut short. */
  get mayBeTorn(): boolean {
    return this.suspect?.isWhole === false
  }

  /** The records found since the last call. */
  collect(): StoredRecord[] {
    const { records } = this
    this.records = []
    return records
  }

  private take(bytes: Buffer, start: number, end: number): string | undefined {
    let record: StoredRecord
    try {
      record = checkLine(bytes, start, end)
    } catch (error) {
      return !this.suspect && isBlank(bytes, start, end) ? undefined : (error as Error).message
    }
    if (record.seq === this.next) {
      if (this.suspect) this.notes.push(`passed over the beginning of event ${record.seq} at byte ${this.suspect.byte}`)
      this.suspect = undefined
      this.records.push(record)
      this.last = record
      this.next += record.count
      this.lastTime = record.time
      return undefined
    }
    if (!this.suspect && this.last?.seq === record.seq && sameBytes(this.last.body, record.body)) {
      this.notes.push(`passed over a second copy of event ${record.seq}`)
      return undefined
    }
    return `that of event ${record.seq}`
  }
}

/** Yields the records between `start` and `end` as far as they are right; `rows` then knows where that ended and why. */
export async function* readLooseRows(
  source: ByteSource,
  rows: LooseRows,
  end: number,
  options?: BlockOptions,
): AsyncGenerator<StoredRecord[]> {
  for await (const block of readBlocks(source, rows.end, end, { ...options, retain: true })) {
    const isWhole = rows.add(block)
    const records = rows.collect()
    if (records.length > 0) yield records
    if (!isWhole) return
  }
}
