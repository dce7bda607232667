import type { StoredRecord } from '@dsh/persistence/driver'
import type { Block } from './blocks.js'
import type { CommitLine } from './commit-line.js'
import { describeLine, isBlank, isWholeJson, sameBytes } from './row.js'
import type { BatchVisitor, Fault } from './scan.js'

/**
 * Collects the records of batches. The checksum vouches for the lines, so that only their envelopes are read; lines
 * without a place in the sequence are passed over, because a commit line also covers what was kept of a torn tail, or of
 * a log that somebody else wrote. What counts is that the rest leads without a gap to where the commit line says.
 */
export class BatchRows implements BatchVisitor {
  private records: StoredRecord[] = []
  private sealed = 0
  private next: number
  private fault: Fault | undefined
  private isAtStart = true
  /** Whether the batch starts with a row of elsewhere, as one does that stands there a second time. */
  private isMisplaced = false

  constructor(next: number) {
    this.next = next
  }

  line({ bytes }: Block, start: number, end: number): void {
    let record: StoredRecord
    try {
      record = describeLine(bytes, start, end)
    } catch (error) {
      if (!isBlank(bytes, start, end)) this.fault ??= { expected: 'a row', found: (error as Error).message }
      return
    }
    const isFirst = this.isAtStart
    this.isAtStart = false
    if (record.seq !== this.next) this.reconsider(record)
    if (record.seq !== this.next) {
      this.isMisplaced ||= isFirst
      this.fault ??= { expected: `the row of event ${this.next}`, found: `that of ${record.seq}` }
      return
    }
    this.records.push(record)
    this.next += record.count
  }

  seal(commit: CommitLine): Fault | undefined {
    if (this.isMisplaced || commit.next !== this.next) {
      return (
        this.fault ?? { expected: `rows up to event ${commit.next}, as the commit line says`, found: `${this.next}` }
      )
    }
    this.fault = undefined
    this.isAtStart = true
    this.sealed = this.records.length
    return undefined
  }

  /** The records of the batches that were sealed since the last call. */
  take(): StoredRecord[] {
    const taken = this.records
    this.records = taken.splice(this.sealed)
    this.sealed = 0
    return taken
  }

  /** Takes back the last row if it was only the beginning of `record`. */
  private reconsider(record: StoredRecord): void {
    if (this.records.length === this.sealed) return
    const last = this.records[this.records.length - 1]!
    if (last.seq !== record.seq || sameBytes(last.body, record.body) || isWholeJson(last.body)) return
    this.records.pop()
    this.next = last.seq
  }
}
