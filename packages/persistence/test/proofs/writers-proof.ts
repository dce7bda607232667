import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SessionError, SessionId } from '@dsh/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Driver } from '../../src/driver.js'
import { Appender } from './appender.js'
import type { ProofBackend } from './backend.js'

const id = 's' as SessionId

/** Lets several processes, and several drivers of one, have to do with the same sessions. */
export function writersProof(backend: ProofBackend): void {
  function begin() {
    const place = backend.newPlace()
    const connect = (at = place): Driver => {
      const driver = backend.connect(at)
      onTestFinished(() => driver.close())
      return driver
    }
    const start = (session: string, count = 1_000, pace: 'paced' | 'free' = 'paced') => {
      const child = new Appender(backend.module, place, session, count, pace)
      onTestFinished(async () => {
        child.kill('SIGCONT')
        child.kill('SIGKILL')
        await child.ended().catch(() => {})
      })
      return child
    }
    return { place, connect, start, driver: connect() }
  }

  describe('writers in several processes', { timeout: 60_000 }, () => {
    it('refuses the second one and names the first, while readers read on', async () => {
      const { driver, start } = begin()
      const child = start(id)
      await child.report()
      await child.step()
      const error = await refusal(driver.open(id, 'write'))
      expect(error.code).toBe('SESSION_LOCKED')
      expect(error.details.holder).toMatchObject({ pid: child.process.pid })
      expect(error.message).toContain(`process ${child.process.pid} on `)
      expect((await refusal(driver.remove(id))).code).toBe('SESSION_LOCKED')
      expect((await refusal(driver.trash!(id))).code).toBe('SESSION_LOCKED')
      expect(await lengthOf(driver, id)).toBe(child.acknowledged)
      await child.step()
      expect(await lengthOf(driver, id)).toBe(child.acknowledged)
    })

    it('gives a session to the next one as soon as its holder is killed', async () => {
      const { driver, start } = begin()
      const child = start(id)
      await child.report()
      await child.step()
      child.kill('SIGKILL')
      await child.ended()
      expect((await driver.open(id, 'write')).nextSeq).toBe(child.acknowledged)
    })

    it('keeps eight writers of eight sessions in one place apart', async () => {
      const { driver, start } = begin()
      const all = Array.from({ length: 8 }, (_, index) => start(`s${index}`, 30, 'free'))
      await Promise.all(all.map(child => child.ended()))
      for (const [index, child] of all.entries()) {
        expect(child.acknowledged).toBeGreaterThanOrEqual(30)
        expect(await lengthOf(driver, `s${index}`)).toBe(child.acknowledged)
      }
      expect((await driver.list({})).entries.map(({ state }) => state)).toEqual(Array(8).fill('ok'))
    })

    it('lets one of several win that begin the same session at the same time', async () => {
      const { driver, start } = begin()
      const all = Array.from({ length: 5 }, () => start(id))
      const began = await Promise.all(all.map(child => child.next()))
      expect(began.filter(Boolean)).toHaveLength(1)
      const winner = all[began.indexOf(true)]!
      await winner.step()
      expect(await lengthOf(driver, id)).toBe(winner.acknowledged)
      for (const child of all) {
        if (child !== winner) await expect(child.ended()).rejects.toThrow(/SESSION_(LOCKED|ALREADY)/)
      }
    })

    it('never takes a session from a holder that stands still, and lets it go on afterwards', async () => {
      const { driver, start } = begin()
      const child = start(id)
      await child.report()
      await child.step()
      child.kill('SIGSTOP')
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await refusal(driver.open(id, 'write'))).code).toBe('SESSION_LOCKED')
      }
      child.kill('SIGCONT')
      await child.step()
      expect(await lengthOf(driver, id)).toBe(child.acknowledged)
    })

    it('lets at most one writer write when somebody deletes the lock file', async () => {
      const { place, driver, start } = begin()
      const child = start(id)
      await child.report()
      await child.step()
      unlinkSync(backend.lockOf(place, id))
      if (backend.holdsLog) {
        for (const take of [() => driver.open(id, 'write'), () => driver.remove(id), () => driver.trash!(id)]) {
          expect((await refusal(take())).code).toBe('SESSION_LOCKED')
        }
        await child.step()
        expect(await lengthOf(driver, id)).toBe(child.acknowledged)
        child.kill('SIGKILL')
        await child.ended()
        await driver.open(id, 'write')
        return
      }
      const successor = await driver.open(id, 'write')
      expect(successor.nextSeq).toBe(child.acknowledged)
      await expect(child.step()).rejects.toThrow('OWNERSHIP_LOST')
      expect(await lengthOf(driver, id)).toBe(child.acknowledged)
    })

    it('believes nothing that a note beside the lock says, be its process alive, gone or this one', async () => {
      const { place, driver } = begin()
      await (await driver.create({ version: 1, id, createdAt: 1 }, [])).close()
      const lock = backend.lockOf(place, id)
      mkdirSync(dirname(lock), { recursive: true })
      for (const pid of [1, process.pid, 4_194_303]) {
        writeFileSync(`${lock}.holder`, JSON.stringify({ pid, host: 'elsewhere', since: 1 }))
        await (await driver.open(id, 'write')).close()
      }
    })
  })

  describe('writers in one process', () => {
    it('refuses a second one through any driver of the same place', async () => {
      const { driver, connect } = begin()
      const handle = await driver.create({ version: 1, id, createdAt: 1 }, [])
      const other = connect()
      expect((await refusal(other.open(id, 'write'))).code).toBe('SESSION_LOCKED')
      expect((await refusal(driver.open(id, 'write'))).code).toBe('SESSION_LOCKED')
      await handle.close()
      await other.open(id, 'write')
    })
  })
}

async function refusal(operation: Promise<unknown>): Promise<SessionError> {
  return operation.then(
    () => expect.unreachable('nobody was refused'),
    (error: SessionError) => error,
  )
}

async function lengthOf(driver: Driver, session: string): Promise<number> {
  const handle = await driver.open(session as SessionId, 'read')
  const found: number[] = []
  for await (const records of handle.read({})) found.push(...records.map(({ seq }) => seq))
  await handle.close()
  expect(found).toEqual(found.map((_, index) => index))
  return found.length
}
