import { SESSION_FORMAT_VERSION, type SessionHeader } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import { mount, startApp } from './app.js'
import { FaultyDriver, failure } from './faulty-driver.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'

let ctx: Context
let storage: MemoryStorage
let driver: FaultyDriver

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
  driver = new FaultyDriver(new MemoryDriver(storage))
})

/** Stores an empty session whose last activity was at `createdAt`. */
function put(id: string, createdAt: number, parentSession?: string): void {
  const header: SessionHeader = {
    version: SESSION_FORMAT_VERSION,
    id: id as never,
    createdAt,
    ...(parentSession !== undefined && { parentSession: parentSession as never, seedLength: 0 }),
  }
  storage.sessions.set(header.id, { header, records: [] })
}

describe('prune', () => {
  it('removes what is older and nothing else, oldest first', async () => {
    for (const [id, time] of Object.entries({ c: 30, a: 10, d: 40, b: 20 })) put(id, time)
    const { persistence } = await mount(ctx, storage)
    const { removed, kept } = await persistence.prune({ olderThan: 30 })
    expect(removed.map(entry => entry.id)).toEqual(['a', 'b'])
    expect(kept).toEqual([])
    expect([...storage.sessions.keys()].sort()).toEqual(['c', 'd'])
  })

  it('keeps a fork that was made lately of a session that is old', async () => {
    put('parent', 1)
    const { persistence } = await mount(ctx, storage)
    const old = { version: 1, type: 'x/y', seq: 0, count: 1, time: 2, surface: false }
    const body = Buffer.from(JSON.stringify({ type: 'x/y', seq: 0, time: 2, data: {} }))
    storage.sessions.get('parent' as never)!.records.push({ ...old, body })
    const { id, createdAt } = await persistence.fork('parent')
    const { removed } = await persistence.prune({ olderThan: createdAt, keepForks: false })
    expect(removed.map(entry => entry.id)).toEqual(['parent'])
    expect([...storage.sessions.keys()]).toEqual([id])
  })

  it('only says what it would remove on a dry run', async () => {
    put('a', 10)
    put('b', 20)
    const { persistence } = await mount(ctx, driver)
    const { removed } = await persistence.prune({ olderThan: 15, dryRun: true })
    expect(removed.map(entry => entry.id)).toEqual(['a'])
    expect(storage.sessions.size).toBe(2)
    expect(driver.made('remove')).toEqual([])
  })

  it('keeps every ancestor of a session that stays, and may be told not to', async () => {
    put('grandparent', 1)
    put('parent', 2, 'grandparent')
    put('child', 100, 'parent')
    put('childless', 3, 'grandparent')
    const { persistence } = await mount(ctx, storage)
    const report = await persistence.prune({ olderThan: 50 })
    expect(report.removed.map(entry => entry.id)).toEqual(['childless'])
    expect(report.kept.map(({ entry, reason }) => [entry.id, reason])).toEqual([
      ['grandparent', 'parent'],
      ['parent', 'parent'],
    ])
    const second = await persistence.prune({ olderThan: 50, keepForks: false })
    expect(second.removed.map(entry => entry.id)).toEqual(['grandparent', 'parent'])
    expect([...storage.sessions.keys()]).toEqual(['child'])
  })

  it('ends on lineage that runs in a circle, to itself, or nowhere', async () => {
    put('a', 100, 'b')
    put('b', 1, 'a')
    put('self', 2, 'self')
    put('orphan', 3, 'nobody')
    const { persistence } = await mount(ctx, storage)
    const { removed, kept } = await persistence.prune({ olderThan: 50 })
    expect(removed.map(entry => entry.id)).toEqual(['self', 'orphan'])
    expect(kept.map(({ entry }) => entry.id)).toEqual(['b'])
  })

  it('leaves alone what is live, locked, corrupt or fails, and says so', async () => {
    for (const id of ['live', 'locked', 'corrupt', 'failing', 'free', 'gone']) put(id, 1)
    const list = driver.list.bind(driver)
    driver.list = async query => {
      const { entries, ...page } = await list(query)
      return {
        ...page,
        entries: entries.map(entry => (entry.id === 'corrupt' ? { ...entry, state: 'corrupt' as const } : entry)),
      }
    }
    const { persistence } = await mount(ctx, driver)
    await persistence.resume('live')
    await new MemoryDriver(storage).open('locked' as never, 'write')
    driver.plan('remove', { before: failure() }, 'failing')
    driver.plan('remove', { before: failure('SESSION_NOT_FOUND') }, 'gone')
    const { removed, kept } = await persistence.prune({ olderThan: 50 })
    expect(removed.map(entry => entry.id)).toEqual(['free'])
    expect(Object.fromEntries(kept.map(({ entry, reason }) => [entry.id, reason]))).toEqual({
      live: 'live',
      locked: 'locked',
      corrupt: 'corrupt',
      failing: 'failed',
    })
    expect(kept.find(({ reason }) => reason === 'failed')!.error).toMatchObject({ code: 'STORAGE_FAILED' })
  })

  it('goes through every page', async () => {
    for (let index = 0; index < 1_203; index++) put(`s${index}`, index)
    const { persistence } = await mount(ctx, driver)
    const { removed } = await persistence.prune({ olderThan: 1_200, dryRun: true })
    expect(removed).toHaveLength(1_200)
    expect(driver.made('list')).toHaveLength(3)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s as a time', async olderThan => {
    put('a', 1)
    const { persistence } = await mount(ctx, storage)
    await expect(persistence.prune({ olderThan })).rejects.toMatchObject({ code: 'INVALID_BOUNDARY' })
    expect(storage.sessions.size).toBe(1)
  })
})
