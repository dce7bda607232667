import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { event, header, sampleRecords } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { expectRecords, rejection, stored } from './setup.js'

export function removeConformance({ storage }: ConformanceTarget): void {
  describe('remove', () => {
    it('removes a session for everybody, and no other', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      for (const id of ['s', 's2', 't']) await (await left.create(header(id), sampleRecords(1))).close()
      await left.remove('s' as SessionId)
      await rejection(right.open('s' as SessionId, 'read'), 'SESSION_NOT_FOUND')
      await rejection(right.open('s' as SessionId, 'write'), 'SESSION_NOT_FOUND')
      await rejection(right.remove('s' as SessionId), 'SESSION_NOT_FOUND')
      expect((await right.list({ order: 'oldest' })).entries.map(entry => entry.id)).toEqual(['s2', 't'])
    })

    it('frees the id for a session that shares nothing with the removed one', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await (await driver.create(header('s', { cwd: '/old' }), sampleRecords(3))).close()
      await driver.remove('s' as SessionId)
      const successor = await driver.create(header('s', { cwd: '/new' }), [])
      expect(successor.header.cwd).toBe('/new')
      await successor.append(0, sampleRecords(1))
      expectRecords(await stored(await connect(), 's' as SessionId), sampleRecords(1))
    })

    it('refuses a session that somebody writes', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      const handle = await left.create(header('s'), sampleRecords(1))
      await rejection(left.remove('s' as SessionId), 'SESSION_LOCKED')
      await rejection(right.remove('s' as SessionId), 'SESSION_LOCKED')
      const next = event(handle.nextSeq, 'x/y', {})
      await handle.append(next.seq, [next])
      expectRecords(await stored(right, 's' as SessionId), [...sampleRecords(1), next])
    })
  })
}
