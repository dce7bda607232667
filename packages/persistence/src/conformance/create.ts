import { describe, expect, it } from 'vitest'
import { header, nextSeq, sampleRecords } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { expectRecords, rejection, stored } from './setup.js'

export function createConformance({ storage }: ConformanceTarget): void {
  describe('create', () => {
    it('publishes header and first batch for every later driver', async () => {
      const { connect } = await storage()
      const records = sampleRecords(3)
      const head = header('s', { cwd: '/work', parentSession: 'p' as never, seedLength: 2, delegationDepth: 1 })
      const first = await connect()
      const handle = await first.create(head, records)
      expect(handle.header).toEqual(head)
      expect(handle.nextSeq).toBe(nextSeq(records))
      expect(handle.recovery).toBeUndefined()
      await first.close()

      const second = await connect()
      const reader = await second.open(head.id, 'read')
      expect(reader.header).toEqual(head)
      expect(reader.nextSeq).toBe(nextSeq(records))
      expectRecords(await stored(second, head.id), records)
    })

    it('publishes an empty session', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const handle = await driver.create(header('s'), [])
      expect(handle.nextSeq).toBe(0)
      await handle.close()
      const { entries } = await (await connect()).list({})
      expect(entries.map(entry => [entry.id, entry.nextSeq, entry.state])).toEqual([['s', 0, 'ok']])
      expectRecords(await stored(driver, header('s').id), [])
    })

    it('goes on from an empty session', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const handle = await driver.create(header('s'), [])
      await handle.append(0, sampleRecords(1))
      expectRecords(await stored(driver, handle.header.id), sampleRecords(1))
    })

    it('refuses an id that is stored and leaves what is stored alone', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const head = header('s', { cwd: '/first' })
      await (await driver.create(head, sampleRecords(2))).close()
      await rejection(driver.create(header('s', { cwd: '/second' }), sampleRecords(1)), 'SESSION_ALREADY_EXISTS')
      await rejection((await connect()).create(header('s'), []), 'SESSION_ALREADY_EXISTS')
      expectRecords(await stored(driver, head.id), sampleRecords(2))
      expect((await driver.open(head.id, 'read')).header).toEqual(head)
    })

    it('lets exactly one of two simultaneous creators win', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      const results = await Promise.allSettled([
        left.create(header('s', { cwd: '/left' }), sampleRecords(1)),
        right.create(header('s', { cwd: '/right' }), sampleRecords(2)),
      ])
      const winner = results.findIndex(result => result.status === 'fulfilled')
      const loser = results[1 - winner]!
      expect(loser.status).toBe('rejected')
      const code = ((loser as PromiseRejectedResult).reason as { code: string }).code
      expect(['SESSION_ALREADY_EXISTS', 'SESSION_LOCKED']).toContain(code)
      expectRecords(await stored(left, header('s').id), sampleRecords(winner + 1))
    })

    it('owns the session afterwards', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const handle = await driver.create(header('s'), sampleRecords(1))
      await rejection((await connect()).open(handle.header.id, 'write'), 'SESSION_LOCKED')
      await rejection(driver.open(handle.header.id, 'write'), 'SESSION_LOCKED')
    })
  })
}
