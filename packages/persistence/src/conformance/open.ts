import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { collect, event, header, nextSeq, sampleRecords } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { expectRecords, rejection, stored } from './setup.js'

export function openConformance({ storage }: ConformanceTarget): void {
  describe('open', () => {
    it('says that an id is not stored, and creates nothing by asking', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await rejection(driver.open('nobody' as SessionId, 'read'), 'SESSION_NOT_FOUND')
      await rejection(driver.open('nobody' as SessionId, 'write'), 'SESSION_NOT_FOUND')
      expect((await driver.list({})).entries).toEqual([])
      await driver.create(header('nobody'), [])
    })

    it('lets readers in while a writer owns the session, and a writer while readers read', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      const records = sampleRecords(2)
      const handle = await left.create(header('s'), records)
      const reader = await right.open(handle.header.id, 'read')
      expectRecords(await collect(reader.read({})), records)
      await handle.close()
      const writer = await left.open(handle.header.id, 'write')
      await writer.append(nextSeq(records), [event(nextSeq(records), 'x/y', {})])
      expect(writer.nextSeq).toBe(nextSeq(records) + 1)
    })

    it('refuses a second writer until the first has closed its handle', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      const records = sampleRecords(1)
      const id = header('s').id
      await (await left.create(header('s'), records)).close()
      const first = await left.open(id, 'write')
      await rejection(right.open(id, 'write'), 'SESSION_LOCKED')
      await rejection(left.open(id, 'write'), 'SESSION_LOCKED')
      await first.close()
      const second = await right.open(id, 'write')
      await rejection(left.open(id, 'write'), 'SESSION_LOCKED')
      await second.append(nextSeq(records), [event(nextSeq(records), 'x/y', {})])
    })

    it('releases a session once, however often its handle is closed', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const first = await driver.create(header('s'), [])
      await Promise.all([first.close(), first.close()])
      const second = await driver.open(first.header.id, 'write')
      await first.close()
      await rejection(driver.open(first.header.id, 'write'), 'SESSION_LOCKED')
      await second.close()
    })

    it('releases every session when the driver closes', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      await left.create(header('a'), sampleRecords(1))
      await left.create(header('b'), sampleRecords(1))
      await left.close()
      await left.close()
      await right.open(header('a').id, 'write')
      await right.open(header('b').id, 'write')
    })

    it('finds an intact session as it was, however often it is opened', async () => {
      const { connect } = await storage()
      const records = sampleRecords(5)
      await (await (await connect()).create(header('s'), records)).close()
      for (const mode of ['write', 'read', 'write', 'read'] as const) {
        const handle = await (await connect()).open(header('s').id, mode)
        expect(handle.header).toEqual(header('s'))
        expect(handle.nextSeq).toBe(nextSeq(records))
        expect(handle.recovery).toBeUndefined()
        expectRecords(await collect(handle.read({})), records)
        await handle.close()
      }
    })

    it('opens a damaged session strictly, and its neighbours as ever', async context => {
      const { connect, damage } = await storage()
      if (!damage) return context.skip()
      const setup = await connect()
      for (const id of ['broken', 'fine']) {
        const handle = await setup.create(header(id), sampleRecords(20))
        await handle.append(handle.nextSeq, [event(handle.nextSeq, 'x/y', {})])
      }
      await setup.close()
      await damage(header('broken').id)

      const driver = await connect()
      await rejection(driver.open(header('broken').id, 'write'), 'SESSION_CORRUPT')
      await rejection(stored(driver, header('broken').id), 'SESSION_CORRUPT')
      expect(await stored(driver, header('fine').id)).toHaveLength(81)
      expect((await driver.list({})).entries.map(entry => entry.id).sort()).toEqual(['broken', 'fine'])
      await driver.remove(header('broken').id)
      expect((await driver.list({})).entries.map(entry => entry.id)).toEqual(['fine'])
    })
  })
}
