import type { SessionHeader, SessionId } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListEntry, ListQuery } from '../src/driver.js'
import { pageEntries, parseCursor } from '../src/paging.js'

function entry(id: string, lastTime: number, header?: Partial<SessionHeader>): ListEntry {
  const whole = { version: 1, id: id as SessionId, createdAt: 0, ...header }
  return { id: id as SessionId, nextSeq: 0, lastTime, state: 'ok', ...(header !== undefined && { header: whole }) }
}

describe('pageEntries', () => {
  it('gives every entry once, in order, whatever the pages', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.integer({ min: -2, max: 2 })), {
      selector: ([id]) => id,
    })
    fc.assert(
      fc.property(
        entries,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('newest', 'oldest'),
        (pairs, limit, order) => {
          const all = pairs.map(([id, time]) => entry(id, time))
          const found: string[] = []
          let query: ListQuery = { limit, order: order as 'newest' }
          for (;;) {
            const page = pageEntries(all, query)
            found.push(...page.entries.map(({ id }) => id))
            if (page.cursor === undefined) break
            expect(page.entries).toHaveLength(limit)
            query = { ...query, cursor: page.cursor }
          }
          const sorted = [...pairs].sort(([a, s], [b, t]) => s - t || (a < b ? -1 : 1)).map(([id]) => id)
          expect(found).toEqual(order === 'oldest' ? sorted : sorted.reverse())
        },
      ),
    )
  })

  it('gives every entry once also where several share time and id', () => {
    const entries = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 2 })), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(
        entries,
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('newest', 'oldest'),
        (pairs, limit, order) => {
          const all = pairs.map(([id, time], bytes) => ({ ...entry(id, time), bytes }))
          const found: ListEntry[] = []
          let cursor: string | undefined
          do {
            const page = pageEntries(all, { limit, order: order as 'newest', ...(cursor !== undefined && { cursor }) })
            found.push(...page.entries)
            cursor = page.cursor
          } while (cursor !== undefined)
          expect(found).toEqual(pageEntries(all, { order: order as 'newest' }).entries)
        },
      ),
    )
  })

  it('holds its place when entries come and go between pages', () => {
    const all = ['a', 'b', 'c', 'd'].map((id, time) => entry(id, time))
    const { cursor } = pageEntries(all, { limit: 2, order: 'oldest' })
    const changed = [entry('new', -5), ...all.filter(({ id }) => id !== 'b')]
    const rest = pageEntries(changed, { limit: 2, order: 'oldest', cursor: cursor! })
    expect(rest.entries.map(({ id }) => id)).toEqual(['c', 'd'])
    expect(rest.cursor).toBeUndefined()
  })

  it('filters exactly, and shows an entry without a header to no filter', () => {
    const all = [entry('a', 1, { cwd: '/x' }), entry('b', 2, { parentSession: 'a' as SessionId }), entry('c', 3)]
    const ids = (query: ListQuery) => pageEntries(all, query).entries.map(({ id }) => id)
    expect(ids({ cwd: '/x' })).toEqual(['a'])
    expect(ids({ parent: 'a' as SessionId })).toEqual(['b'])
    expect(ids({})).toEqual(['c', 'b', 'a'])
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses a limit of %s', limit => {
    expect(() => pageEntries([], { limit })).toThrow(/INVALID_BOUNDARY/)
  })

  it.each(['', 'x', '[]', '[1]', '["1","a"]', '[1,"a",0]', '[1,"a","2"]', '[1,"a",2,3]', '{"0":1}', 'null'])(
    'refuses the cursor %s',
    cursor => {
      expect(() => parseCursor(cursor)).toThrow(/INVALID_BOUNDARY/)
    },
  )
})
