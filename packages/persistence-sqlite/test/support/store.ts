import type { StoredRecord } from '@dsh/persistence/driver'
import type { SessionHeader } from '@dsh/session'
import { onTestFinished } from 'vitest'
import { createSession } from '../../src/database/create.js'
import { prepareIndex } from '../../src/database/index-records.js'
import type { StoredHead } from '../../src/database/open.js'
import { openDatabase } from '../../src/database/open-database.js'
import type { SessionRef } from '../../src/database/session-row.js'
import type { Store } from '../../src/database/store.js'
import { packRecords } from '../../src/record-block.js'
import { TextIndex } from '../../src/search/text-index.js'
import { temporaryFile } from './temporary.js'

/** An open database for the running test. */
export function openStore(file: string = temporaryFile()): Store {
  const database = openDatabase({ file, durability: 'none', busyTimeoutMs: 100 })
  onTestFinished(() => database.close())
  const store = { database, index: new TextIndex(database) }
  prepareIndex(store)
  return store
}

/** Stores a session. */
export function store(
  at: Store,
  header: SessionHeader,
  records: readonly StoredRecord[] = [],
): StoredHead & SessionRef {
  const head = createSession(at, { header, blocks: records.length === 0 ? [] : [packRecords(records)] })
  return { ...head, id: header.id }
}
