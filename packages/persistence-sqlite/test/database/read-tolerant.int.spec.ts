import { readFileSync, writeFileSync } from 'node:fs'
import type { StoredRecord, TolerantItem } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open-database.js'
import type { TolerantPlace } from '../../src/database/read-tolerant.js'
import { openTolerant, readTolerant } from '../../src/database/read-tolerant.js'
import type { SessionRef } from '../../src/database/session-row.js'
import type { Store } from '../../src/database/store.js'
import { event, header, plain, sampleEvents, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

const PAGE_SIZE = 4_096

function readAll(at: Store, ref: SessionRef): TolerantItem[] {
  const items: TolerantItem[] = []
  let place: TolerantPlace | undefined = { by: 'seq', from: 0 }
  while (place) {
    const page: ReturnType<typeof readTolerant> = readTolerant(at, { ref, place })
    items.push(...page.items)
    place = page.next
  }
  return items
}

const recordsOf = (items: readonly TolerantItem[]): StoredRecord[] =>
  items.flatMap(item => (item.kind === 'records' ? item.records : []))

describe('readTolerant', () => {
  it('gives a whole session whole', () => {
    const at = openStore()
    const records = toRecords(sampleEvents(1_000))
    const ref = store(at, header(), records)
    expect(openTolerant(at, ref)).toEqual({ no: ref.no, header: header() })
    expect(recordsOf(readAll(at, ref)).map(plain)).toEqual(records.map(plain))
  })

  it('says which records do not fit their checksums, and gives the others', () => {
    const at = openStore()
    const records = toRecords(sampleEvents(100))
    const ref = store(at, header(), records)
    at.database.exec("UPDATE records SET body = body || 'x' WHERE seq IN (10, 20); UPDATE sessions SET crc = 0")
    const items = readAll(at, ref)
    const lost = items.filter(({ kind }) => kind === 'unreadable')
    expect(lost.map(item => item.kind === 'unreadable' && item.reason)).toEqual([
      'the record of event 10 does not fit its checksum',
      'the record of event 20 does not fit its checksum',
    ])
    expect(recordsOf(items)).toHaveLength(records.length - 2)
    expect(openTolerant(at, ref)).toEqual({ no: ref.no })
  })

  it('reads around every page that was overwritten but the one that leads to all records', () => {
    const at = openStore()
    const records = toRecords(Array.from({ length: 600 }, (_, seq) => event(seq, 'x'.repeat(200))))
    const { no, id } = store(at, header(), records)
    const { file } = at.database
    at.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const whole = new Map(records.map(record => [record.seq, plain(record)]))
    const perPage = PAGE_SIZE / 300
    let unreachable = 0
    const pages = readFileSync(file).length / PAGE_SIZE
    for (let page = 3; page < pages; page++) {
      const found = withOverwritten(file, page, damaged => recordsOf(readAll(damaged, { no, id })))
      for (const record of found) expect(plain(record)).toEqual(whole.get(record.seq))
      const lost = records.length - new Set(found.map(({ seq }) => seq)).size
      if (lost > perPage) unreachable++
    }
    expect(pages).toBeGreaterThan(40)
    expect(unreachable).toBe(1)
  })
})

/** Runs `use` on the database with one page overwritten. */
function withOverwritten<T>(file: string, page: number, use: (at: Store) => T): T {
  const bytes = readFileSync(file)
  bytes.fill(0xff, page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
  writeFileSync(`${file}.copy`, bytes)
  const database = openDatabase({ file: `${file}.copy`, durability: 'none', busyTimeoutMs: 100 })
  try {
    return use({ database } as Store)
  } finally {
    database.close()
  }
}
