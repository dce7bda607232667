import type { StoredRecord } from '@dsh/persistence/driver'
import { SessionError } from '@dsh/session'
import type { Uncovered } from './encode-batch.js'
import { encodeBatches } from './encode-batch.js'
import type { FileStat } from './fs.js'
import type { OpenFile } from './open-file.js'
import type { BatchEdge } from './scan.js'
import { storageFailed } from './storage-error.js'

/** Where a writer starts. */
export interface WriterStart {
  /** After the last commit line. */
  readonly edge: BatchEdge
  /** The length of the file. */
  readonly end: number
  /** The sequence number after the last event in it. */
  readonly next: number
  /** What lies between edge and end. */
  readonly uncovered: Uncovered
}

/** Appends batches to the last part of a log that it alone writes to. One append at a time. */
export class LogWriter {
  /** After the last commit line. */
  edge: BatchEdge
  next: number
  private readonly session: string
  private readonly file: OpenFile
  private readonly seed: number
  /** What was acknowledged ends here. */
  private end: number
  private uncovered: Uncovered | undefined
  /** After a failed write the file may be longer than what was acknowledged, but no longer than this. */
  private dirtyUpTo: number | undefined
  private lost: SessionError | undefined

  /** @param file open for `write-through`, unless nothing has to be durable */
  constructor(session: string, file: OpenFile, seed: number, start: WriterStart) {
    this.session = session
    this.file = file
    this.seed = seed
    this.edge = start.edge
    this.end = start.end
    this.next = start.next
    this.uncovered = start.uncovered
  }

  /**
   * Writes records as one durable batch, or, when they are large, several; all of them or none.
   * @throws OWNERSHIP_LOST, STORAGE_FAILED
   */
  async append(records: readonly StoredRecord[]): Promise<void> {
    await this.prepare()
    let { end, next } = this
    try {
      for (const batch of encodeBatches(records, this.seed, next, 0, this.uncovered)) {
        const at = end
        end += batch.bytes.length
        // Durable before the next byte is written: a commit line that follows is proof of this one having been synced.
        await this.file.write(batch.bytes, at)
        next = batch.next
      }
    } catch (cause) {
      this.dirtyUpTo = end
      // At once if possible, so that nothing unacknowledged outlives this process; otherwise before the next append.
      await this.cutBack().catch(() => {})
      throw storageFailed('append to the log', cause, this.place())
    }
    this.end = end
    this.next = next
    this.edge = { byte: end, next }
    this.uncovered = undefined
  }

  /** Makes sure that the file is ours and ends where what was acknowledged does. */
  private async prepare(): Promise<void> {
    if (this.lost) throw this.lost
    try {
      if (this.dirtyUpTo !== undefined) await this.cutBack()
      const { size } = this.checkOwnership(this.end)
      if (size !== this.end) throw this.disown(`a file of ${this.end} bytes`, `one of ${size}`)
    } catch (cause) {
      throw storageFailed('prepare the log for an append', cause, this.place())
    }
  }

  /**
   * Cuts what a failed append left and syncs. The bytes are then written again: after a failed sync the system may hold
   * pages for clean that never reached the disk, and another sync would succeed without them.
   */
  private async cutBack(): Promise<void> {
    const { size } = this.checkOwnership(this.dirtyUpTo!)
    if (size > this.end) await this.file.truncate(this.end)
    if (this.file.isWriteThrough) await this.file.sync()
    this.dirtyUpTo = undefined
  }

  private checkOwnership(longest: number): FileStat {
    const stat = this.file.statNow()
    if (stat.nlink === 0) throw this.disown('a file that has a name', 'one that was deleted')
    const isOurs = stat.size >= this.end && stat.size <= longest
    if (!isOurs) throw this.disown(`a file of ${this.end} bytes`, `one of ${stat.size}`)
    return stat
  }

  private disown(expected: string, found: string): SessionError {
    this.lost = new SessionError('OWNERSHIP_LOST', { expected, found, ...this.place() })
    return this.lost
  }

  private place() {
    return { session: this.session, file: this.file.file }
  }
}
