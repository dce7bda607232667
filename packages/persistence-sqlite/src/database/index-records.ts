import type { StoredRecord } from '@dsh/persistence/driver'
import { IndexDamage } from '../search/text-index.js'
import type { Database } from './database.js'
import { textOfRecord, typesOfRole } from './searchable.js'
import type { DatabaseTask } from './sqlite-error.js'
import type { Store } from './store.js'
import { parseTypeName } from './type-name.js'

const SLICE = 100

const task: DatabaseTask = { purpose: 'index the texts' }

/** A row of `records` whose text is asked for. */
export interface TextRow {
  readonly id: number
  readonly seq: number
  readonly time: number
  readonly type: string
  readonly version: number
  readonly body: Uint8Array
}

export const TEXT_COLUMNS = 'records.id, records.seq, records.time, records.type, version, CAST(body AS BLOB) AS body'

/** The text in a row. */
export function textOfRow({ seq, time, type, version, body }: TextRow): string {
  const record: StoredRecord = { seq, count: 1, time, type: parseTypeName(type), surface: true, version, body }
  return textOfRecord(record)
}

/** Makes sure that there is an index, for the records that come to be stored from here on at least. */
export function prepareIndex(store: Store): void {
  const { database, index } = store
  try {
    // Nobody has to wait for other writers where there is nothing to do.
    if (database.read(task, () => index.isReady)) return
  } catch (error) {
    if (!isIndexDamage(error)) throw error
  }
  writeIndexed(store, task, () => index.prepare())
}

/** Begins the index anew; {@link indexSlice} then fills it. */
export function clearIndex({ database, index }: Store): void {
  database.write(task, () => index.clear())
}

/**
 * Writes what touches the index, too. Where the index turns out to be damaged, it is begun anew or given up: what is
 * stored must not depend on what is derived from it.
 * @throws as `Database.write`
 */
export function writeIndexed<T>(store: Store, task: DatabaseTask, work: () => T): T {
  try {
    return store.database.write(task, work)
  } catch (error) {
    if (!isIndexDamage(error)) throw error
    try {
      clearIndex(store)
    } catch (again) {
      if (!isIndexDamage(again)) throw again
      store.index.giveUp()
    }
    return store.database.write(task, work)
  }
}

function isIndexDamage(error: unknown): boolean {
  return (error as Error).cause instanceof IndexDamage
}

/** Indexes some of the records that are missing from the index. @returns whether none is */
export function indexSlice({ database, index }: Store): boolean {
  if (index.next === undefined) return true
  return database.write(task, () => {
    const { next } = index
    if (next === undefined) return true
    const rows = missingRows(database, next)
    index.add(rows.map(row => ({ id: row.id, text: textOfRow(row) })))
    index.next = rows.length < SLICE ? undefined : rows[rows.length - 1]!.id + 1
    return rows.length < SLICE
  })
}

function missingRows(database: Database, next: number): TextRow[] {
  const types = typesOfRole()
  const sql = `
    SELECT ${TEXT_COLUMNS} FROM records
    WHERE id >= ? AND surface = 1 AND type IN (${types.map(() => '?').join(', ')}) ORDER BY id LIMIT ?
  `
  return database.all<TextRow>(sql, next, ...types, SLICE)
}
