import type { ListEntry, ListQuery } from '@dsh/persistence/driver'
import { pageEntries } from '@dsh/persistence/driver'
import type { SessionId } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listConditions, listSessions } from '../../src/database/list.js'
import { listFacts } from '../../src/database/list-facts.js'
import { trashSession } from '../../src/database/remove.js'
import { SESSION_COLUMNS } from '../../src/database/session-row.js'
import { event, header, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

/** The ids in a slice of {@link listFacts}. */
const idsOf = (slice: string): string[] => JSON.parse(slice).map((facts: { readonly 7: { id: string } }) => facts[7].id)

describe('listSessions', () => {
  it('pages, filters and orders as the base does with entries in memory', () => {
    const at = openStore()
    const ids = ['a', 'A', '\ud800', '\uffff', '🙂', 'é', 'e\u0301', ' ', 'a\u0000', 'z']
    for (const [index, id] of ids.entries()) {
      const cwd = ['/x', '/y', undefined][index % 3]
      const parentSession = index % 2 === 0 ? ('p' as SessionId) : undefined
      const createdAt = 1_000 + (index % 4)
      store(at, header(id, { createdAt, ...(cwd && { cwd }), ...(parentSession && { parentSession, seedLength: 0 }) }))
    }
    const entries = listSessions(at, {}).entries as readonly ListEntry[]
    const query: fc.Arbitrary<ListQuery> = fc.record(
      {
        cwd: fc.constantFrom('/x', '/y', '/none'),
        parent: fc.constantFrom('p', 'none') as fc.Arbitrary<SessionId>,
        limit: fc.integer({ min: 1, max: 12 }),
        order: fc.constantFrom('newest', 'oldest'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(query, given => {
        let cursor: string | undefined
        do {
          const page = { ...given, ...(cursor !== undefined && { cursor }) }
          const found = listSessions(at, page)
          expect(found).toEqual(pageEntries(entries, page))
          const slices: string[] = []
          const { hasMore } = listFacts(at, page, slice => slices.push(slice))!
          expect(slices.flatMap(idsOf)).toEqual(found.entries.map(({ id }) => id))
          expect(hasMore).toBe(found.cursor !== undefined)
          cursor = found.cursor
        } while (cursor !== undefined)
      }),
    )
  })

  it('tells of an open turn and of the bytes of the log', () => {
    const at = openStore()
    const records = toRecords([event(0, { turn: 1 }, 'turn/start')])
    store(at, header(), records)
    expect(listSessions(at, {}).entries).toMatchObject([
      { id: 's', state: 'unfinished', bytes: records[0]!.body.length },
    ])
  })

  it('lists a session whose row is damaged beside the others', () => {
    const at = openStore()
    for (const id of ['a', 'b', 'c']) store(at, header(id))
    at.database.run("UPDATE sessions SET header = 'rotten' WHERE no = 2")
    expect(listFacts(at, {}, () => {})).toBeUndefined()
    const { entries } = listSessions(at, { order: 'oldest' })
    expect(entries.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'ok'],
      ['b', 'corrupt'],
      ['c', 'ok'],
    ])
    expect(entries[1]!.error).toMatchObject({ code: 'SESSION_CORRUPT', session: 'b' })
    expect(entries[1]!.header).toBeUndefined()
  })

  it.each(['last_time', 'bytes', 'epoch', 'crc'])('lists the others when %s grew too large for a number', column => {
    const at = openStore()
    for (const id of ['a', 'b']) store(at, header(id))
    at.database.run(`UPDATE sessions SET ${column} = 9223372036854775807 WHERE no = 1`)
    expect(listFacts(at, {}, () => {})).toBeUndefined()
    const first = listSessions(at, { limit: 1 })
    const second = listSessions(at, { limit: 1, cursor: first.cursor! })
    const entries = [...first.entries, ...second.entries]
    expect(entries.map(({ id, state }) => `${id} ${state}`).sort()).toEqual(['a corrupt', 'b ok'])
  })

  it('lists a session whose key rotted as damaged, once', () => {
    const at = openStore()
    for (const id of ['a', 'b', 'c']) store(at, header(id))
    at.database.run("UPDATE sessions SET key = x'007a' WHERE no = 2")
    expect(listFacts(at, {}, () => {})).toBeUndefined()
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = listSessions(at, { limit: 1, order: 'oldest', ...(cursor !== undefined && { cursor }) })
      found.push(...page.entries.map(({ id, state }) => `${id} ${state}`))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(found).toEqual(['a ok', 'c ok', 'z corrupt'])
  })

  it('pages over several sessions in the trash that had one id', () => {
    const at = openStore()
    for (const cwd of ['/1', '/2', '/3']) {
      store(at, header('s', { cwd }))
      trashSession(at, { id: header('s').id })
    }
    for (const order of ['newest', 'oldest'] as const) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const query = { trashed: true, limit: 1, order, ...(cursor !== undefined && { cursor }) }
        const page = listSessions(at, query)
        found.push(...page.entries.map(entry => entry.header!.cwd!))
        expect(listFacts(at, query, () => {})!.hasMore).toBe(page.cursor !== undefined)
        cursor = page.cursor
      } while (cursor !== undefined)
      expect(found).toEqual(order === 'oldest' ? ['/1', '/2', '/3'] : ['/3', '/2', '/1'])
    }
  })

  it.each([{ limit: 0 }, { limit: 1.5 }, { limit: Number.NaN }, { cursor: '[]' }])('refuses %j', query => {
    const at = openStore()
    for (const list of [listSessions, listFacts]) {
      expect(() => list(at, query, () => {})).toThrow(expect.objectContaining({ code: 'INVALID_BOUNDARY' }))
    }
  })

  it.each<[string, ListQuery]>([
    ['sessions_by_time ((last_time,key)<(?,?))', { cursor: '[5,"x"]' }],
    ['sessions_by_time', {}],
    ['sessions_by_time', { order: 'oldest' }],
    ['sessions_by_cwd (cwd=? AND (last_time,key)<(?,?))', { cwd: '/x', cursor: '[5,"x"]' }],
    ['sessions_by_cwd (cwd=?)', { cwd: '/x', order: 'oldest' }],
    ['sessions_by_parent (parent=?)', { parent: 'p' as SessionId }],
  ])('finds, orders and pages by the index %s', (index, query) => {
    const { database } = openStore()
    const { sql, parameters } = listConditions(query)
    const plan = database.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT ${SESSION_COLUMNS} FROM sessions ${sql} LIMIT ?`,
      ...parameters,
      10,
    )
    const kind = index.includes('(') ? 'SEARCH' : 'SCAN'
    expect(plan.map(({ detail }) => detail)).toEqual([`${kind} sessions USING INDEX ${index}`])
  })
})
