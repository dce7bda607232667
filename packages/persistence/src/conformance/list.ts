import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import type { Driver, ListEntry, ListQuery } from '../driver.js'
import { event, header, sampleRecords, T0 } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { rejection } from './setup.js'

async function pages(driver: Driver, query: ListQuery): Promise<ListEntry[][]> {
  const all: ListEntry[][] = []
  let cursor: string | undefined
  do {
    const page = await driver.list({ ...query, ...(cursor !== undefined && { cursor }) })
    all.push([...page.entries])
    cursor = page.cursor
  } while (cursor !== undefined && all.length < 100)
  return all
}

const ids = (entries: readonly ListEntry[]) => entries.map(entry => entry.id as string)

export function listConformance({ storage }: ConformanceTarget): void {
  describe('list', () => {
    it('gives header, next number, last time and state', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const head = header('s', { cwd: '/work', delegationDepth: 2 })
      const handle = await driver.create(head, sampleRecords(1))
      await handle.append(handle.nextSeq, [event(handle.nextSeq, 'x/y', {}, T0 + 5_000)])
      await handle.close()
      const [entry] = (await (await connect()).list({})).entries
      expect(entry).toMatchObject({ id: 's', header: head, nextSeq: handle.nextSeq, lastTime: T0 + 5_000, state: 'ok' })
      expect(entry!.error).toBeUndefined()
    })

    it('is empty on an empty storage', async () => {
      const { connect } = await storage()
      expect(await (await connect()).list({})).toEqual({ entries: [] })
    })

    it('takes the creation for the last time of an empty session', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await (await driver.create(header('s', { createdAt: T0 - 7 }), [])).close()
      expect((await driver.list({})).entries[0]!.lastTime).toBe(T0 - 7)
    })

    it('takes no session for older than its creation, such as a fork with events that are', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const fork = await driver.create(header('fork', { createdAt: 20 }), [event(0, 'x/y', {}, 5)])
      await (await driver.create(header('other', { createdAt: 0 }), [event(0, 'x/y', {}, 10)])).close()
      const listed = async () =>
        (await pages(await connect(), { limit: 1, order: 'oldest' })).flat().map(({ id, lastTime }) => [id, lastTime])
      const other = ['other', 10]
      expect(await listed()).toEqual([other, ['fork', 20]])
      await fork.append(1, [event(1, 'x/y', {}, 7)])
      expect(await listed()).toEqual([other, ['fork', 20]])
      await fork.close()
      const resumed = await (await connect()).open(header('fork').id, 'write')
      await resumed.append(2, [event(2, 'x/y', {}, 15)])
      expect(await listed()).toEqual([other, ['fork', 20]])
      await resumed.append(3, [event(3, 'x/y', {}, 30)])
      expect(await listed()).toEqual([other, ['fork', 30]])
      await resumed.append(4, [event(4, 'x/y', {}, 25)])
      expect(await listed()).toEqual([other, ['fork', 25]])
      await resumed.close()
    })

    it('orders by last time and then by id, newest or oldest first', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const times: Record<string, number> = { b: 3, a: 3, d: 1, c: 7, B: 3 }
      for (const [id, time] of Object.entries(times)) {
        await (await driver.create(header(id, { createdAt: 0 }), [event(0, 'x/y', {}, time)])).close()
      }
      const oldest = ['d', 'B', 'a', 'b', 'c']
      expect(ids((await driver.list({ order: 'oldest' })).entries)).toEqual(oldest)
      expect(ids((await driver.list({ order: 'newest' })).entries)).toEqual([...oldest].reverse())
      expect(ids((await driver.list({})).entries)).toEqual([...oldest].reverse())
    })

    it('pages without losing or repeating a session, also among equal times', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const all: string[] = []
      for (let index = 0; index < 11; index++) {
        const id = `s${String(index).padStart(2, '0')}`
        all.push(id)
        await (await driver.create(header(id, { createdAt: T0 + Math.floor(index / 4) }), [])).close()
      }
      for (const limit of [1, 2, 3, 10, 11, 12]) {
        const found = await pages(driver, { limit, order: 'oldest' })
        expect(found.map(page => page.length).every(length => length <= limit)).toBe(true)
        expect(ids(found.flat())).toEqual(all)
        expect(ids((await pages(driver, { limit })).flat())).toEqual([...all].reverse())
      }
    })

    it('filters by directory and by parent, page by page', async () => {
      const { connect } = await storage()
      const driver = await connect()
      for (let index = 0; index < 12; index++) {
        const more = {
          ...(index % 2 === 0 && { cwd: '/even' }),
          ...(index % 3 === 0 && { parentSession: 'root' as SessionId, seedLength: 0 }),
        }
        await (await driver.create(header(`s${index}`, { createdAt: index, ...more }), [])).close()
      }
      const query = { order: 'oldest', limit: 2 } as const
      expect(ids((await pages(driver, { ...query, cwd: '/even' })).flat())).toEqual([
        's0',
        's2',
        's4',
        's6',
        's8',
        's10',
      ])
      const parent = 'root' as SessionId
      expect(ids((await pages(driver, { ...query, parent })).flat())).toEqual(['s0', 's3', 's6', 's9'])
      expect(ids((await pages(driver, { ...query, parent, cwd: '/even' })).flat())).toEqual(['s0', 's6'])
      expect((await driver.list({ cwd: '/other' })).entries).toEqual([])
      expect((await driver.list({ cwd: '/EVEN' })).entries).toEqual([])
    })

    it('gives with a session all of its records or none, and none unless asked', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const records = sampleRecords(2)
      await (await driver.create(header('s'), records)).close()
      expect((await driver.list({})).entries[0]!.records).toBeUndefined()
      const [entry] = (await driver.list({ withRecords: true })).entries
      expect(entry).toMatchObject({ id: 's', state: 'ok' })
      expect(entry!.records ?? records).toEqual(records)
    })

    it('refuses a cursor that it never gave', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await rejection(driver.list({ cursor: 'not a cursor' }), 'INVALID_BOUNDARY')
    })
  })
}
