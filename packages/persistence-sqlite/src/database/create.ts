import type { SessionHeader } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { RecordBlock } from '../record-block.js'
import { keyOf } from '../session-key.js'
import type { SessionFacts } from './checksum.js'
import { writeIndexed } from './index-records.js'
import { insertRecords } from './insert-records.js'
import type { StoredHead } from './open.js'
import { updateSession } from './session-row.js'
import type { Store } from './store.js'

export interface CreateArguments {
  readonly header: SessionHeader
  /** The first batch, from event 0. */
  readonly blocks: readonly RecordBlock[]
}

/** Stores a session with its first batch. @throws SESSION_ALREADY_EXISTS, STORAGE_FAILED */
export function createSession(store: Store, { header, blocks }: CreateArguments): StoredHead {
  const { database, index } = store
  return writeIndexed(store, { purpose: 'create the session', session: header.id }, () => {
    const no = insertSession(store, header)
    const { createdAt } = header
    const start = { next_seq: 0, last_time: createdAt, bytes: 0, surfaces: 0, in_turn: 0, createdAt }
    const facts = insertRecords(database, index, no, blocks, start)
    updateSession(database, no, { ...facts, ...firstFacts(header) })
    return { no, header, nextSeq: facts.next_seq, epoch: 1 }
  })
}

/** What the checksum of a session covers besides its records, as long as nobody has taken it over. */
export function firstFacts(header: SessionHeader): Pick<SessionFacts, 'key' | 'header' | 'trashed' | 'epoch'> {
  return { key: keyOf(header.id), header: JSON.stringify(header), trashed: 0, epoch: 1 }
}

/** Inserts the row of a session without records. @throws SESSION_ALREADY_EXISTS */
export function insertSession({ database }: Store, header: SessionHeader): number {
  refuseStored({ database }, header.id)
  const { cwd, parentSession } = header
  const { id } = database.run(
    `INSERT INTO sessions (key, header, cwd, parent, next_seq, last_time, bytes, surfaces, in_turn, trashed, epoch, crc)
    VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0)`,
    keyOf(header.id),
    JSON.stringify(header),
    cwd === undefined ? null : keyOf(cwd),
    parentSession === undefined ? null : keyOf(parentSession),
  )
  return id
}

/** @throws SESSION_ALREADY_EXISTS when a session of this id is stored and not in the trash */
export function refuseStored({ database }: Pick<Store, 'database'>, id: string): void {
  if (!database.get('SELECT 1 FROM sessions WHERE key = ? AND trashed = 0', keyOf(id))) return
  throw new SessionError('SESSION_ALREADY_EXISTS', {
    expected: 'an id that is not stored',
    found: 'a stored session',
    file: database.file,
    session: id,
  })
}
