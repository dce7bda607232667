import type { SessionHeader, SessionId } from '@dsh/session'
import type { RecordBlock } from '../record-block.js'
import { keyOf } from '../session-key.js'
import { firstFacts, insertSession } from './create.js'
import { writeIndexed } from './index-records.js'
import { insertRecords } from './insert-records.js'
import { removeSession } from './remove.js'
import type { SessionRow } from './session-row.js'
import { idOf, SESSION_COLUMNS, updateSession } from './session-row.js'
import type { Store } from './store.js'

/** How far an index has got with a session that is stored elsewhere. */
export interface Mirrored {
  readonly id: SessionId
  /** With `id` it names one incarnation of the session. */
  readonly createdAt: number
  readonly nextSeq: number
}

export interface MirrorArguments {
  readonly header: SessionHeader
  /** Where the index stands. */
  readonly from: number
  /** Where it stands afterwards. */
  readonly to: number
  /** The records in between that hold text. */
  readonly blocks: readonly RecordBlock[]
}

/** What an index holds. */
export function listMirrored({ database }: Store): Mirrored[] {
  return database.read({ purpose: 'list what is indexed' }, () => {
    const rows = database.all<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE trashed = 0`)
    return rows.map(row => ({ id: idOf(row), createdAt: createdAtOf(row), nextSeq: row.next_seq }))
  })
}

/**
 * Takes records of a session that is stored elsewhere into the index, unless somebody else has.
 * @returns where the index stands then
 */
export function mirrorRecords(store: Store, { header, from, to, blocks }: MirrorArguments): number {
  const { database, index } = store
  return writeIndexed(store, { purpose: 'index the session', session: header.id }, () => {
    const known = findMirrored(store, header.id)
    if ((known?.next_seq ?? 0) !== from || (known && createdAtOf(known) !== header.createdAt))
      return known?.next_seq ?? 0
    const no = known?.no ?? insertSession(store, header)
    const { createdAt } = header
    const start = known ?? { last_time: createdAt, bytes: 0, surfaces: 0, in_turn: 0 }
    const facts = insertRecords(database, index, no, blocks, { ...start, next_seq: from, createdAt })
    updateSession(database, no, { ...facts, ...firstFacts(header), next_seq: to })
    return to
  })
}

/** Drops what the index has of a session. */
export function forgetMirrored(store: Store, { id }: { readonly id: SessionId }): void {
  if (findMirrored(store, id)) removeSession(store, { id, trashed: false })
}

function findMirrored({ database }: Store, id: SessionId): SessionRow | undefined {
  return database.get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE key = ? AND trashed = 0`, keyOf(id))
}

function createdAtOf({ header }: SessionRow): number {
  return (JSON.parse(header) as SessionHeader).createdAt
}
