import type { DriverHandle, ReadRange, StoredRecord } from '@dsh/persistence/driver'
import type { SessionHeader } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { Connection } from './connection.js'
import type { StoredHead } from './database/open.js'
import type { SessionRef } from './database/session-row.js'
import { readSession } from './read-session.js'

/** A session that is open for reading. It holds nothing but its name. */
export class ReadHandle implements DriverHandle {
  readonly header: SessionHeader
  readonly nextSeq: number
  private readonly connection: Connection
  private readonly ref: SessionRef

  constructor(connection: Connection, { no, header, nextSeq }: StoredHead) {
    this.connection = connection
    this.header = header
    this.nextSeq = nextSeq
    this.ref = { no, id: header.id }
  }

  append(): Promise<void> {
    const found = { expected: 'a session that was opened for writing', found: 'one opened for reading' }
    return Promise.reject(new SessionError('OWNERSHIP_LOST', { ...found, session: this.header.id }))
  }

  read(range: ReadRange, signal?: AbortSignal): AsyncGenerator<readonly StoredRecord[]> {
    return readSession(this.connection, this.ref, range, {}, signal)
  }

  async close(): Promise<void> {}
}
