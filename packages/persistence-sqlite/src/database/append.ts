import { SessionError } from '@dsh/session'
import type { RecordBlock } from '../record-block.js'
import type { Database } from './database.js'
import { writeIndexed } from './index-records.js'
import { insertRecords } from './insert-records.js'
import type { SessionRef, SessionRow } from './session-row.js'
import { SESSION_COLUMNS, updateSession } from './session-row.js'
import type { Store } from './store.js'

export interface AppendArguments {
  readonly ref: SessionRef
  readonly epoch: number
  /** As the header has it. */
  readonly createdAt: number
  readonly expectedSeq: number
  readonly blocks: readonly RecordBlock[]
}

/**
 * Stores a batch, if the session still is the caller's and ends where the batch begins.
 * @returns the sequence number after it
 * @throws OWNERSHIP_LOST, SEQ_CONFLICT, STORAGE_FAILED
 */
export function appendRecords(store: Store, batch: AppendArguments): number {
  const { ref, epoch, createdAt, expectedSeq, blocks } = batch
  const { database, index } = store
  return writeIndexed(store, { purpose: 'append to the session', session: ref.id }, () => {
    const row = ownedSession(database, ref, epoch)
    if (row.next_seq !== expectedSeq) throw conflict(database, ref, expectedSeq, row.next_seq)
    const facts = insertRecords(database, index, ref.no, blocks, { ...row, createdAt })
    updateSession(database, ref.no, { ...row, ...facts })
    return facts.next_seq
  })
}

function ownedSession(database: Database, { no, id }: SessionRef, epoch: number): SessionRow {
  const row = database.get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE no = ?`, no)
  if (row?.epoch === epoch && row.trashed === 0) return row
  throw new SessionError('OWNERSHIP_LOST', {
    expected: 'to own the session',
    found: row === undefined ? 'that it was removed' : row.trashed > 0 ? 'it in the trash' : 'another owner',
    file: database.file,
    session: id,
  })
}

function conflict(database: Database, { id }: SessionRef, expectedSeq: number, currentSeq: number): SessionError {
  return new SessionError('SEQ_CONFLICT', {
    expected: `a log that ends before event ${expectedSeq}`,
    found: `one that ends before event ${currentSeq}`,
    file: database.file,
    session: id,
    seq: expectedSeq,
    details: { expectedSeq, currentSeq },
  })
}
