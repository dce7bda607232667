import type { DriverHandle, ReadRange, RecoveryReport, StoredRecord } from '@dsh/persistence/driver'
import type { SessionHeader } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { OpenLog } from './open-log.js'
import { recoveryReport } from './open-log.js'
import { readLog } from './read-log.js'
import type { LogSnapshot } from './snapshot.js'
import { snapshotLog } from './snapshot.js'
import { storageFailed } from './storage-error.js'
import { closeParts } from './stored-log.js'
import { verifyBatches } from './verify.js'

/** A session that is open for reading. It takes no lock and writes nothing: of a torn tail it only leaves out the rest. */
export class ReadHandle implements DriverHandle {
  readonly header: SessionHeader
  readonly nextSeq: number
  readonly recovery?: RecoveryReport
  private readonly log: OpenLog
  private readonly onClose: (handle: DriverHandle) => void
  private snapshot: LogSnapshot
  private size: number

  constructor(log: OpenLog, onClose: (handle: DriverHandle) => void) {
    this.log = log
    this.onClose = onClose
    this.header = log.header
    this.nextSeq = log.tail.next
    this.snapshot = snapshotLog(log)
    this.size = log.last.size
    const recovery = recoveryReport(log)
    if (recovery) this.recovery = recovery
  }

  get trustedSeq(): number | undefined {
    const { loose, parts } = this.snapshot
    const isAllTrusted = Array.isArray(loose) && loose.length === 0
    return isAllTrusted ? undefined : parts[parts.length - 1]!.end.next
  }

  append(): Promise<void> {
    const found = { expected: 'a session that was opened for writing', found: 'one opened for reading' }
    return Promise.reject(new SessionError('OWNERSHIP_LOST', { ...found, session: this.header.id }))
  }

  async *read(range: ReadRange, signal?: AbortSignal): AsyncGenerator<readonly StoredRecord[]> {
    yield* readLog(await this.catchUp(), range, signal)
  }

  async close(): Promise<void> {
    await closeParts(this.log.parts)
    this.onClose(this)
  }

  /** Takes in the batches that were committed since; what has no commit line yet may still come to nothing. */
  private async catchUp(): Promise<LogSnapshot> {
    const { last, header } = this.log
    try {
      const { size } = await last.source.stat()
      if (size !== this.size) {
        const { end } = this.snapshot.parts[this.snapshot.parts.length - 1]!
        const { edge } = await verifyBatches(last.source, last.seed, end, size)
        if (edge.byte > end.byte) this.snapshot = snapshotLog(this.log, edge)
        this.size = size
      }
      return this.snapshot
    } catch (error) {
      throw storageFailed('read the log', error, { file: last.source.file, session: header.id })
    }
  }
}
