import type { DriverHandle, ReadRange, StoredRecord } from '@dsh/persistence/driver'
import { checkRecords } from '@dsh/persistence/driver'
import type { Ownership } from '@dsh/persistence/lock'
import type { SessionHeader } from '@dsh/session'
import { isSessionError, SessionError } from '@dsh/session'
import type { Connection } from './connection.js'
import type { StoredHead } from './database/open.js'
import { packSlowly } from './pack-slowly.js'
import { readSession } from './read-session.js'
import { buffersOf } from './record-block.js'

/** A session that is open for writing, and owned until it is closed. */
export class WriteHandle implements DriverHandle {
  readonly header: SessionHeader
  private readonly connection: Connection
  private readonly head: StoredHead
  private readonly owner: Ownership
  private readonly onClose: (handle: DriverHandle) => void
  private next: number
  /** Whether the database may hold more than this handle was told. */
  private isUncertain = false
  private last: Promise<unknown> = Promise.resolve()
  private closing: Promise<void> | undefined

  constructor(connection: Connection, head: StoredHead, owner: Ownership, onClose: (handle: DriverHandle) => void) {
    this.connection = connection
    this.head = head
    this.header = head.header
    this.next = head.nextSeq
    this.owner = owner
    this.onClose = onClose
  }

  get nextSeq(): number {
    return this.next
  }

  append(expectedSeq: number, records: readonly StoredRecord[]): Promise<void> {
    const { id, createdAt } = this.header
    if (this.closing) return Promise.reject(disowned('an open session', 'one that was closed', id))
    return this.inOrder(async () => {
      const { no, epoch } = this.head
      checkRecords(records, expectedSeq, id)
      if (!(await this.owner.isHeld())) throw disowned('the lock file that was locked', 'none, or another', id)
      const blocks = await packSlowly(records)
      try {
        const argument = { ref: { no, id }, epoch, createdAt, expectedSeq, blocks }
        this.next = await this.connection.call('append', argument, { transfer: blocks.flatMap(buffersOf) })
        this.isUncertain = false
      } catch (error) {
        if (isSessionError(error) && error.details.indeterminate === true) this.isUncertain = true
        throw error
      }
    })
  }

  read(range: ReadRange, signal?: AbortSignal): AsyncGenerator<readonly StoredRecord[]> {
    const ref = { no: this.head.no, id: this.header.id }
    if (!this.isUncertain) return readSession(this.connection, ref, range, { end: this.next }, signal)
    const found = (end: number) => {
      this.next = end
      this.isUncertain = false
    }
    return readSession(this.connection, ref, range, { found }, signal)
  }

  /** Waits for an append in flight, and keeps the session until then. */
  close(): Promise<void> {
    this.closing ??= this.inOrder(async () => {
      await this.owner.release()
      this.onClose(this)
    })
    return this.closing
  }

  private inOrder<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.last.then(operation)
    this.last = result.catch(() => {})
    return result
  }
}

function disowned(expected: string, found: string, session: string): SessionError {
  return new SessionError('OWNERSHIP_LOST', { expected, found, session })
}
