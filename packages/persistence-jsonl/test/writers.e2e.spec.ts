import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionError, SessionId } from '@dsh/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { sessionPaths } from '../src/layout.js'
import { Appender } from './support/child.js'
import { collect, event, header, toRecords } from './support/records.js'

const id = 's' as SessionId
let root: string
let driver: JsonlDriver
let children: Appender[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writers-'))
  driver = new JsonlDriver({ root })
  children = []
})

afterEach(async () => {
  for (const child of children) {
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await child.ended()
  }
  await driver.close()
  rmSync(root, { recursive: true })
})

function start(session: string, count = 1_000, pace: 'paced' | 'free' = 'paced'): Appender {
  const child = new Appender(root, session, count, pace)
  children.push(child)
  return child
}

async function refusal(operation: Promise<unknown>): Promise<SessionError> {
  return operation.then(
    () => expect.unreachable('nobody was refused'),
    (error: SessionError) => error,
  )
}

async function lengthOf(session: string): Promise<number> {
  const handle = await driver.open(session as SessionId, 'read')
  const records = await collect(handle.read({}))
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index))
  await handle.close()
  return records.length
}

describe('writers in several processes', { timeout: 60_000 }, () => {
  it('refuses the second one and names the first, while readers read on', async () => {
    const child = start(id)
    await child.report()
    await child.step()
    const error = await refusal(driver.open(id, 'write'))
    expect(error.code).toBe('SESSION_LOCKED')
    expect(error.details.holder).toMatchObject({ pid: child.process.pid })
    expect(error.message).toContain(`process ${child.process.pid} on `)
    expect((await refusal(driver.remove(id))).code).toBe('SESSION_LOCKED')
    expect((await refusal(driver.trash(id))).code).toBe('SESSION_LOCKED')
    expect(await lengthOf(id)).toBe(child.acknowledged)
    await child.step()
    expect(await lengthOf(id)).toBe(child.acknowledged)
  })

  it('gives a session to the next one as soon as its holder is killed', async () => {
    const child = start(id)
    await child.report()
    await child.step()
    child.kill('SIGKILL')
    await child.ended()
    const handle = await driver.open(id, 'write')
    expect(handle.nextSeq).toBe(child.acknowledged)
  })

  it('keeps eight writers of eight sessions in one root apart', async () => {
    const all = Array.from({ length: 8 }, (_, index) => start(`s${index}`, 30, 'free'))
    await Promise.all(all.map(child => child.ended()))
    for (const [index, child] of all.entries()) {
      expect(child.acknowledged).toBeGreaterThanOrEqual(30)
      expect(await lengthOf(`s${index}`)).toBe(child.acknowledged)
    }
    expect((await driver.list({})).entries.map(({ state }) => state)).toEqual(Array(8).fill('ok'))
  })

  it('lets one of several win that begin the same session at the same time', async () => {
    const all = Array.from({ length: 5 }, () => start(id))
    const began = await Promise.all(all.map(child => child.next()))
    expect(began.filter(Boolean)).toHaveLength(1)
    const winner = all[began.indexOf(true)]!
    await winner.step()
    expect(await lengthOf(id)).toBe(winner.acknowledged)
    for (const child of all)
      if (child !== winner) await expect(child.ended()).rejects.toThrow(/SESSION_(LOCKED|ALREADY)/)
    children = [winner]
  })

  it('never takes a session from a holder that stands still, and lets it go on afterwards', async () => {
    const child = start(id)
    await child.report()
    await child.step()
    child.kill('SIGSTOP')
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await refusal(driver.open(id, 'write'))).code).toBe('SESSION_LOCKED')
    }
    child.kill('SIGCONT')
    await child.step()
    expect(await lengthOf(id)).toBe(child.acknowledged)
  })

  it('keeps a session with its holder when somebody deletes the lock file', async () => {
    const child = start(id)
    await child.report()
    await child.step()
    const { lock } = sessionPaths(root, id)
    unlinkSync(lock)
    expect((await refusal(driver.open(id, 'write'))).code).toBe('SESSION_LOCKED')
    expect((await refusal(driver.remove(id))).code).toBe('SESSION_LOCKED')
    expect((await refusal(driver.trash(id))).code).toBe('SESSION_LOCKED')
    await child.step()
    expect(await lengthOf(id)).toBe(child.acknowledged)
    child.kill('SIGKILL')
    await child.ended()
    await driver.open(id, 'write')
  })

  it('believes nothing that a note beside the lock says, be its process alive, gone or this one', async () => {
    await (await driver.create(header(), [])).close()
    const { lock } = sessionPaths(root, id)
    mkdirSync(join(lock, '..'), { recursive: true })
    for (const pid of [1, process.pid, 4_194_303]) {
      writeFileSync(`${lock}.holder`, JSON.stringify({ pid, host: 'elsewhere', since: 1 }))
      await (await driver.open(id, 'write')).close()
    }
  })
})

describe('writers in one process', () => {
  it('refuses a second one through any driver of the same root', async () => {
    const handle = await driver.create(header(), [])
    const other = new JsonlDriver({ root: `${root}/.` })
    expect((await refusal(other.open(id, 'write'))).code).toBe('SESSION_LOCKED')
    expect((await refusal(driver.open(id, 'write'))).code).toBe('SESSION_LOCKED')
    await handle.append(0, toRecords([event(0)]))
    await handle.close()
    const successor = await other.open(id, 'write')
    expect(successor.nextSeq).toBe(1)
    await other.close()
  })

  it('keeps no file open for the sessions that it has closed', async () => {
    const { readdirSync } = await import('node:fs')
    const openFiles = () => readdirSync('/proc/self/fd').length
    await (await driver.create(header(), [])).close()
    const before = openFiles()
    for (let round = 0; round < 100; round++) {
      const handle = await driver.open(id, round % 2 === 0 ? 'write' : 'read')
      await collect(handle.read({}))
      await handle.close()
    }
    expect(openFiles()).toBe(before)
  })
})
