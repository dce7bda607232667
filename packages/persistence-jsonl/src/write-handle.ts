import type { DriverHandle, ReadRange, RecoveryReport, StoredRecord } from '@dsh/persistence/driver'
import { checkRecords } from '@dsh/persistence/driver'
import type { Ownership } from '@dsh/persistence/lock'
import type { SessionHeader } from '@dsh/session'
import { SessionError } from '@dsh/session'
import { createGate } from './gate.js'
import type { OpenLog } from './open-log.js'
import { readLog } from './read-log.js'
import { snapshotLog } from './snapshot.js'
import { closeParts } from './stored-log.js'
import type { LogWriter } from './writer.js'

/** A session that is open for writing, and owned until it is closed. */
export class WriteHandle implements DriverHandle {
  readonly header: SessionHeader
  readonly trustedSeq?: number
  readonly recovery?: RecoveryReport
  private readonly log: OpenLog
  private readonly writer: LogWriter
  private readonly owner: Ownership
  private readonly inOrder = createGate(1)
  private readonly onClose: (handle: DriverHandle) => void
  /** What the opening has read, until this handle is used. */
  private held: readonly StoredRecord[][] | undefined
  private closing: Promise<void> | undefined

  constructor(
    { held, ...log }: OpenLog,
    writer: LogWriter,
    owner: Ownership,
    recovery: RecoveryReport | undefined,
    onClose: (handle: DriverHandle) => void,
  ) {
    this.log = log
    this.header = log.header
    this.writer = writer
    this.owner = owner
    this.onClose = onClose
    this.held = held
    if (recovery) this.recovery = recovery
    if (log.tail.keptEvents > 0) this.trustedSeq = log.tail.edge.next
  }

  get nextSeq(): number {
    return this.writer.next
  }

  async append(expectedSeq: number, records: readonly StoredRecord[]): Promise<void> {
    await this.inOrder(async () => {
      const session = this.header.id
      if (this.closing) throw disowned('an open session', 'one that was closed', session)
      if (expectedSeq !== this.nextSeq) throw conflict(expectedSeq, this.nextSeq, session)
      checkRecords(records, expectedSeq, session)
      if (records.length === 0) return
      if (!(await this.owner.isHeld())) throw disowned('the lock file that was locked', 'none, or another', session)
      this.held = undefined
      await this.writer.append(records)
    })
  }

  /** A session that is resumed is read whole, directly after an opening that has read it already. */
  read(range: ReadRange, signal?: AbortSignal): AsyncGenerator<readonly StoredRecord[]> {
    const log = snapshotLog(this.log, this.writer.edge)
    const { held } = this
    this.held = undefined
    return readLog(held && !range.reverse ? { ...log, held } : log, range, signal)
  }

  /** Waits for an append in flight, and keeps the session until then. */
  close(): Promise<void> {
    this.closing ??= this.inOrder(async () => {
      this.held = undefined
      await closeParts(this.log.parts)
      await this.owner.release()
      this.onClose(this)
    })
    return this.closing
  }
}

function disowned(expected: string, found: string, session: string): SessionError {
  return new SessionError('OWNERSHIP_LOST', { expected, found, session })
}

function conflict(expectedSeq: number, currentSeq: number, session: string): SessionError {
  return new SessionError('SEQ_CONFLICT', {
    expected: `a log that ends before event ${expectedSeq}`,
    found: `one that ends before event ${currentSeq}`,
    session,
    seq: expectedSeq,
    details: { expectedSeq, currentSeq },
  })
}
