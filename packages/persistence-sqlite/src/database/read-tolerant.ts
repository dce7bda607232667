import type { StoredRecord, TolerantItem } from '@dsh/persistence/driver'
import type { SessionHeader } from '@dsh/session'
import type { RecordFacts } from './checksum.js'
import { recordChecksum, recordHead } from './checksum.js'
import type { Database } from './database.js'
import type { OpenArguments } from './open.js'
import { findSession } from './open.js'
import type { SessionRef } from './session-row.js'
import { readHeader } from './session-row.js'
import { isDamage } from './sqlite-error.js'
import type { Store } from './store.js'
import { parseTypeName } from './type-name.js'

export interface TolerantHead {
  readonly no: number
  /** Absent when it cannot be read. */
  readonly header?: SessionHeader
}

/** Where a tolerant read goes on: by events, or, where the index is damaged, by rows. */
export interface TolerantPlace {
  readonly by: 'seq' | 'id'
  readonly from: number
}

export interface TolerantArguments {
  readonly ref: SessionRef
  readonly place: TolerantPlace
}

/** Some of what can be read of a session. */
export interface TolerantPage {
  readonly items: readonly TolerantItem[]
  /** Absent at the end. */
  readonly next?: TolerantPlace
}

interface RecordRow extends RecordFacts {
  readonly session: number
  readonly crc: number
  readonly body: Uint8Array
}

const ROWS = 200
/** Where a search for a readable row gives up, after some fifty steps. */
const FARTHEST = 2 ** 50

/** @throws SESSION_NOT_FOUND, STORAGE_FAILED */
export function openTolerant({ database }: Store, { id }: OpenArguments): TolerantHead {
  return database.read({ purpose: 'open the session' }, () => {
    const row = findSession(database, id)
    try {
      return { no: row.no, header: readHeader(row, database.file) }
    } catch {
      return { no: row.no }
    }
  })
}

/** Reads what can be read. A record that cannot is an item that says so. */
export function readTolerant({ database }: Store, { ref, place }: TolerantArguments): TolerantPage {
  try {
    return database.read({ purpose: 'read the session' }, () =>
      place.by === 'seq' ? readBySeq(database, ref, place.from) : readById(database, ref, place.from),
    )
  } catch (error) {
    if (place.by === 'id' || !isDamage((error as Error).cause)) throw error
    const reason = `the index of the records: ${(error as Error).message}`
    return { items: [{ kind: 'unreadable', reason }], next: { by: 'id', from: 0 } }
  }
}

function readBySeq(database: Database, { no }: SessionRef, from: number): TolerantPage {
  // The index alone answers this, whatever became of the records.
  const sql = `
    SELECT id, seq FROM records INDEXED BY records_by_seq WHERE session = ? AND seq >= ? ORDER BY seq LIMIT ${ROWS}
  `
  const found = database.all<{ id: number; seq: number }>(sql, no, from)
  const items = found.map(({ id, seq }) => itemOf(readRow(database, id), `the record of event ${seq}`))
  const last = found.at(-1)
  return found.length < ROWS ? { items } : { items, next: { by: 'seq', from: last!.seq + 1 } }
}

function readById(database: Database, { no }: SessionRef, from: number): TolerantPage {
  const sql = 'SELECT ifnull(max(id), 0) + 1 AS end FROM records'
  const { end } = unlessDamaged(() => database.get<{ end: number }>(sql)) ?? { end: FARTHEST }
  const items: TolerantItem[] = []
  let at = from
  for (let rows = 0; rows < ROWS; rows++) {
    const id = firstReadable(database, at, end)
    if (id === undefined) return { items }
    const row = readRow(database, id)
    if (row === undefined || row.session === no) items.push(itemOf(row, `row ${id} of the records`))
    at = id + 1
  }
  return { items, next: { by: 'id', from: at } }
}

/**
 * The first row from `from` on that SQLite gets to. Where a page is damaged, places ever further on are tried, and then
 * those in between.
 */
function firstReadable(database: Database, from: number, end: number): number | undefined {
  const rowFrom = (at: number) =>
    unlessDamaged(
      () => database.get<{ id: number }>('SELECT id FROM records WHERE id >= ? ORDER BY id LIMIT 1', at) ?? { id: end },
    )
  let damaged = from - 1
  for (let at = from, step = 1; at < end; at += step, step *= 2) {
    let found = rowFrom(at)
    if (!found) {
      damaged = at
      continue
    }
    for (let readable = at; readable - damaged > 1; ) {
      const middle = Math.floor((damaged + readable) / 2)
      const earlier = rowFrom(middle)
      if (earlier) {
        readable = middle
        found = earlier
      } else damaged = middle
    }
    return found.id < end ? found.id : undefined
  }
  return undefined
}

function readRow(database: Database, id: number): RecordRow | undefined {
  const sql = `
    SELECT session, seq, count, time, surface, surfaces, version, type, crc, CAST(body AS BLOB) AS body FROM records WHERE id = ?
  `
  return unlessDamaged(() => database.get<RecordRow>(sql, id))
}

function itemOf(row: RecordRow | undefined, name: string): TolerantItem {
  if (row === undefined) return { kind: 'unreadable', reason: `${name} lies on a damaged page` }
  const { seq, count, time, surface, version, type, crc, body } = row
  if (recordChecksum(recordHead(row), body) !== crc) {
    return { kind: 'unreadable', reason: `${name} does not fit its checksum`, bytes: body.length }
  }
  const record: StoredRecord = { seq, count, time, type: parseTypeName(type), surface: surface === 1, version, body }
  return { kind: 'records', records: [record] }
}

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isDamage(error)) throw error
    return undefined
  }
}
