import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import type { Driver, StoredRecord } from '../driver.js'
import { capabilities } from '../driver.js'
import { event, header, hostileQueries, nextSeq, sampleRecords } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { expectRecords, rejection, stored } from './setup.js'

export function optionalConformance({ manifest, storage }: ConformanceTarget): void {
  const has = manifest.capabilities

  describe('manifest', () => {
    it('declares exactly the optional methods that the driver has', async () => {
      const { connect } = await storage()
      const driver = await connect()
      for (const [capability, methods] of Object.entries(capabilities)) {
        for (const method of methods) {
          const present = typeof driver[method as keyof Driver] === 'function'
          expect(present, `${method}, of the capability ${capability}`).toBe(has[capability as keyof typeof has])
        }
      }
    })
  })

  describe.runIf(has.existence)('exists', () => {
    it('follows creation and removal at once', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const id = header('s').id
      expect(driver.exists!(id)).toBe(false)
      const handle = await driver.create(header('s'), [])
      expect(driver.exists!(id)).toBe(true)
      await handle.close()
      expect((await connect()).exists!(id)).toBe(true)
      await driver.remove(id)
      expect(driver.exists!(id)).toBe(false)
    })
  })

  describe.runIf(has.trash)('trash', () => {
    it('hides a session from everything but the trash, and gives it back whole', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const head = header('s', { cwd: '/work' })
      for (const each of [head, header('t')]) await (await driver.create(each, sampleRecords(2))).close()
      await driver.trash!(head.id)
      const other = await connect()
      await rejection(other.open(head.id, 'read'), 'SESSION_NOT_FOUND')
      await rejection(other.open(head.id, 'write'), 'SESSION_NOT_FOUND')
      expect((await other.list({})).entries.map(entry => entry.id)).toEqual(['t'])
      expect((await other.list({ trashed: true })).entries).toMatchObject([{ id: 's', header: head }])

      await other.restore!(head.id)
      expect((await driver.list({ trashed: true })).entries).toEqual([])
      expectRecords(await stored(driver, head.id), sampleRecords(2))
      expect((await driver.open(head.id, 'write')).header).toEqual(head)
    })

    it('refuses what is absent, what somebody writes, and a return onto a stored session', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await rejection(driver.trash!('nobody' as SessionId), 'SESSION_NOT_FOUND')
      await rejection(driver.restore!('nobody' as SessionId), 'SESSION_NOT_FOUND')
      const handle = await driver.create(header('s'), sampleRecords(1))
      await rejection((await connect()).trash!(handle.header.id), 'SESSION_LOCKED')
      await handle.close()
      await driver.trash!(handle.header.id)
      await (await driver.create(header('s'), [])).close()
      await rejection(driver.restore!(handle.header.id), 'SESSION_ALREADY_EXISTS')
      expectRecords(await stored(driver, handle.header.id), [])
    })

    it('gives back the last of several that had one id', async () => {
      const { connect } = await storage()
      const driver = await connect()
      for (const cwd of ['/one', '/two']) {
        await (await driver.create(header('s', { cwd }), [])).close()
        await driver.trash!('s' as SessionId)
      }
      for (const cwd of ['/two', '/one']) {
        await driver.restore!('s' as SessionId)
        expect((await (await connect()).list({})).entries).toMatchObject([{ id: 's', header: { cwd } }])
        await driver.remove('s' as SessionId)
      }
    })

    it('is emptied of every session that had an id, and of no other', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const id = 's' as SessionId
      for (const cwd of ['/one', '/two', '/three']) {
        await (await driver.create(header('s', { cwd }), sampleRecords(1))).close()
        await driver.trash!(id)
      }
      await (await driver.create(header('s2'), sampleRecords(1))).close()
      await driver.trash!('s2' as SessionId)
      await (await driver.create(header('s', { cwd: '/stored' }), sampleRecords(2))).close()

      await driver.remove(id, { trashed: true })
      const other = await connect()
      expect((await other.list({ trashed: true })).entries.map(entry => entry.id)).toEqual(['s2'])
      expect((await other.list({})).entries).toMatchObject([{ id: 's', header: { cwd: '/stored' } }])
      expectRecords(await stored(other, id), sampleRecords(2))
      await rejection(other.remove(id, { trashed: true }), 'SESSION_NOT_FOUND')
      await driver.remove(id)
      await rejection(other.restore!(id), 'SESSION_NOT_FOUND')
      await other.restore!('s2' as SessionId)
      expectRecords(await stored(driver, 's2' as SessionId), sampleRecords(1))
    })

    it('is not emptied of a session as long as somebody writes one of its id, nor of one that is stored', async () => {
      const { connect } = await storage()
      const [driver, other] = [await connect(), await connect()]
      const id = 's' as SessionId
      await (await driver.create(header('s'), sampleRecords(1))).close()
      await rejection(driver.remove(id, { trashed: true }), 'SESSION_NOT_FOUND')
      await driver.trash!(id)
      const handle = await driver.create(header('s'), [])
      await rejection(driver.remove(id, { trashed: true }), 'SESSION_LOCKED')
      await rejection(other.remove(id, { trashed: true }), 'SESSION_LOCKED')
      expect((await other.list({ trashed: true })).entries.map(entry => entry.id)).toEqual(['s'])
      await handle.append(0, sampleRecords(1))
      await handle.close()
      await other.remove(id, { trashed: true })
      expect((await driver.list({ trashed: true })).entries).toEqual([])
      expectRecords(await stored(driver, id), sampleRecords(1))
    })
  })

  describe.runIf(has.forkByReference)('fork', () => {
    it('shares a prefix that outlives its source', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const records = sampleRecords(3)
      await (await driver.create(header('source'), records)).close()
      const seedLength = records[5]!.seq
      const child = header('child', { parentSession: 'source' as SessionId, seedLength })
      const handle = await driver.fork!('source' as SessionId, child)
      expect(handle.nextSeq).toBe(seedLength)
      const own = event(seedLength, 'x/y', {})
      await handle.append(seedLength, [own])
      await handle.close()
      await driver.remove('source' as SessionId)
      const found = await stored(await connect(), child.id)
      expectRecords(found, [...records.slice(0, 5), own])
    })

    it('refuses a stored id and an absent source', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await (await driver.create(header('source'), sampleRecords(1))).close()
      const child = header('source', { seedLength: 1 })
      await rejection(driver.fork!('source' as SessionId, child), 'SESSION_ALREADY_EXISTS')
      await rejection(driver.fork!('nobody' as SessionId, header('child', { seedLength: 1 })), 'SESSION_NOT_FOUND')
    })
  })

  describe.runIf(has.tolerantRead)('readTolerant', () => {
    it('gives an intact session whole, while somebody writes it', async () => {
      const { connect } = await storage()
      const records = sampleRecords(3)
      const handle = await (await connect()).create(header('s'), records.slice(0, 4))
      await handle.append(records[4]!.seq, records.slice(4))
      const { header: head, items } = await (await connect()).readTolerant!(handle.header.id)
      expect(head).toEqual(header('s'))
      const found: StoredRecord[] = []
      for await (const item of items) {
        expect(item.kind).toBe('records')
        if (item.kind === 'records') found.push(...item.records)
      }
      expectRecords(found, records)
      await rejection((await connect()).readTolerant!('nobody' as SessionId), 'SESSION_NOT_FOUND')
    })

    it('reads around damage', async context => {
      const { connect, damage } = await storage()
      if (!damage) return context.skip()
      const first = await connect()
      const records = sampleRecords(40)
      records.push(event(nextSeq(records), 'x/y', {}))
      const handle = await first.create(header('s'), records.slice(0, -1))
      await handle.append(records.at(-1)!.seq, records.slice(-1))
      await first.close()
      await damage(header('s').id)
      const { items } = await (await connect()).readTolerant!(header('s').id)
      const found: StoredRecord[] = []
      for await (const item of items) if (item.kind === 'records') found.push(...item.records)
      expect(found.length).toBeGreaterThan(records.length / 2)
      const whole = new Map(records.map(record => [record.seq, record]))
      for (const record of found) expectRecords([record], [whole.get(record.seq)!])
    })
  })

  describe.runIf(has.rawArtifact)('locate', () => {
    it('gives each session a place of its own, before anything is stored there', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const places = ['a', 'A', '../a', 'é'].map(id => driver.locate!(header(id)))
      expect(new Set(places).size).toBe(places.length)
      await driver.create(header('a'), [])
      expect((await connect()).locate!(header('a'))).toBe(places[0])
    })
  })

  describe.runIf(has.changeNotice)('observe', () => {
    it('tells of what another driver stored, until it is ended', async () => {
      const { connect } = await storage()
      const [writer, watcher] = [await connect(), await connect()]
      const handle = await writer.create(header('s'), [])
      for (let seq = 0; seq < 3; seq++) {
        let end = () => {}
        const told = new Promise<void>(resolve => {
          end = watcher.observe!(handle.header.id, resolve)
        })
        await handle.append(seq, [event(seq, 'x/y', {})])
        await told
        end()
        end()
      }
    })
  })

  describe.runIf(has.search)('search', () => {
    it('finds the words of a prompt, and nothing else', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await (await driver.create(header('s', { cwd: '/work' }), sampleRecords(1, 'pangolin'))).close()
      await (await driver.create(header('t'), sampleRecords(1, 'walrus'))).close()
      const { hits } = await driver.search!('pangolin', {})
      expect(hits).toMatchObject([{ id: 's', seq: 1, role: 'user' }])
      const [start, length] = hits[0]!.matches[0]!
      expect(hits[0]!.snippet.slice(start, start + length).toLowerCase()).toBe('pangolin')
      expect((await driver.search!('pangolin', { cwd: '/other' })).hits).toEqual([])
      expect((await driver.search!('axolotl', {})).hits).toEqual([])
    })

    it('takes any text as a query, or refuses it as one', async () => {
      const { connect } = await storage()
      const driver = await connect()
      await (await driver.create(header('s'), sampleRecords(1))).close()
      for (const query of hostileQueries) {
        const answer = await driver.search!(query, {}).catch((error: unknown) => error)
        if (answer instanceof Error) expect((answer as { code?: string }).code).toBe('INVALID_CONFIG')
        else expect(answer).toHaveProperty('hits')
      }
      expectRecords(await stored(driver, 's' as SessionId), sampleRecords(1))
    })
  })
}
