import type { SessionId } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredRecord } from '../src/driver.js'
import { grow, mount, startApp, storeSession } from './app.js'
import { FaultyDriver, failure } from './faulty-driver.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'
import { addInterruptedTurn, addTurn } from './turns.js'

let ctx: Context
let storage: MemoryStorage
let driver: FaultyDriver

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
  driver = new FaultyDriver(new MemoryDriver(storage))
})

/** Has the driver give records with the list, as one may that is asked to. */
function withRecords(recordsOf: (id: SessionId) => readonly StoredRecord[] | undefined): void {
  const list = driver.list.bind(driver)
  driver.list = async query => {
    const { entries, ...page } = await list(query)
    const give = (id: SessionId) => (query.withRecords ? recordsOf(id) : undefined)
    return {
      ...page,
      entries: entries.map(entry => {
        const records = give(entry.id)
        return records ? { ...entry, records } : entry
      }),
    }
  }
}

describe('list', () => {
  it('waits for nothing, and shows a live session once it is stored', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('live')
    grow(session, 2)
    expect((await persistence.list()).entries).toEqual([])
    await ctx.sessions.flush(session)
    expect((await persistence.list()).entries.map(({ id, nextSeq }) => [id, nextSeq])).toEqual([['live', 2]])
  })

  it('opens no log unless details are asked for', async () => {
    const session = await storeSession(storage, 's', each => addTurn(each, 1))
    const { persistence } = await mount(ctx, driver)
    const { entries } = await persistence.list()
    expect(entries).toMatchObject([{ id: 's', header: session.header, nextSeq: session.seq, state: 'ok' }])
    expect(entries[0]).not.toHaveProperty('title')
    expect(driver.made('open')).toEqual([])
  })

  it('tells title, turns and an open turn with details, without reading the middle of a log', async () => {
    await storeSession(storage, 'long', session => {
      for (let turn = 1; turn <= 300; turn++) addTurn(session, turn, `what about ${turn}?`)
    })
    await storeSession(storage, 'open', session => {
      addTurn(session, 1, '  two\n lines ')
      addInterruptedTurn(session, 2)
    })
    await storeSession(storage, 'empty')
    await storeSession(storage, 'silent', session => grow(session, 3))
    const { persistence } = await mount(ctx, driver)
    const { entries } = await persistence.list({ details: true })
    const byId = Object.fromEntries(entries.map(({ id, title, turns, state }) => [id, { title, turns, state }]))
    expect(byId).toEqual({
      long: { title: 'what about 1?', turns: 300, state: 'ok' },
      open: { title: 'two lines', turns: 2, state: 'unfinished' },
      empty: { title: undefined, turns: 0, state: 'ok' },
      silent: { title: undefined, turns: 0, state: 'ok' },
    })
    expect(driver.mostRunning).toBeLessThanOrEqual(2)
  })

  it('looks at no more than the ends of a log for details', async () => {
    const todos = [{ content: 'x'.repeat(300_000), status: 'pending' as const }]
    await storeSession(storage, 'far', session => {
      for (let index = 0; index < 10; index++) session.append('todo/write', { todos })
      addTurn(session, 1, 'far from both ends')
      for (let index = 0; index < 10; index++) session.append('todo/write', { todos })
    })
    const { persistence } = await mount(ctx, driver)
    const { entries } = await persistence.list({ details: true })
    expect(entries).toMatchObject([{ id: 'far', state: 'ok' }])
    expect(entries[0]).not.toHaveProperty('title')
    expect(entries[0]).not.toHaveProperty('turns')
  })

  it('flags a session whose details cannot be read, and shows the others', async () => {
    for (let index = 0; index < 20; index++) await storeSession(storage, `s${index}`, each => addTurn(each, 1))
    const { persistence } = await mount(ctx, driver)
    driver.plan('open', { before: failure('SESSION_CORRUPT', { byte: 3 }) }, 's7')
    const { entries } = await persistence.list({ details: true })
    expect(entries).toHaveLength(20)
    expect(entries.filter(entry => entry.state !== 'ok')).toMatchObject([
      { id: 's7', state: 'corrupt', error: { code: 'SESSION_CORRUPT' } },
    ])
    expect(entries.filter(entry => entry.turns === 1)).toHaveLength(19)
  })

  it('does not look into a session that is known to be corrupt, or that is removed meanwhile', async () => {
    await storeSession(storage, 'gone', each => addTurn(each, 1))
    const list = driver.list.bind(driver)
    driver.list = async query => {
      const page = await list(query)
      return { entries: [...page.entries, { id: 'bad' as never, nextSeq: 0, lastTime: 0, state: 'corrupt' }] }
    }
    const { persistence } = await mount(ctx, driver)
    driver.plan('open', { before: failure('SESSION_NOT_FOUND') })
    const { entries } = await persistence.list({ details: true })
    expect(entries.map(({ id, state, turns }) => [id, state, turns])).toEqual([
      ['gone', 'ok', undefined],
      ['bad', 'corrupt', undefined],
    ])
    expect(driver.made('open')).toEqual(['open gone read'])
  })

  it('tells the same of sessions whose records come with the list, and opens none of those', async () => {
    await storeSession(storage, 'two', session => {
      addTurn(session, 1, 'the first of two')
      addTurn(session, 2)
    })
    await storeSession(storage, 'open', session => addInterruptedTurn(session, 1))
    await storeSession(storage, 'empty')
    await storeSession(storage, 'large', session => addTurn(session, 1, 'opened'))
    const { persistence } = await mount(ctx, driver)
    const opened = await persistence.list({ details: true })
    const calls = driver.made('open').length
    withRecords(id => (id === 'large' ? undefined : storage.sessions.get(id)!.records))
    expect(await persistence.list({ details: true })).toEqual(opened)
    expect(driver.made('open').slice(calls)).toEqual(['open large read'])
    expect(opened.entries.find(({ id }) => id === 'two')).toMatchObject({ title: 'the first of two', turns: 2 })
    expect(opened.entries.find(({ id }) => id === 'open')).toMatchObject({ turns: 1, state: 'unfinished' })
  })

  it('flags a session whose records make no events', async () => {
    for (const id of ['good', 'bad']) await storeSession(storage, id, each => addTurn(each, 1))
    withRecords(id =>
      storage.sessions.get(id)!.records.map(record => (id === 'bad' ? { ...record, version: 9 } : record)),
    )
    const { persistence } = await mount(ctx, driver)
    const { entries } = await persistence.list({ details: true })
    expect(entries.find(({ id }) => id === 'good')).toMatchObject({ state: 'ok', turns: 1 })
    const bad = entries.find(({ id }) => id === 'bad')
    expect(bad).toMatchObject({ state: 'corrupt', error: { code: 'FORMAT_UNSUPPORTED' } })
    expect(bad).not.toHaveProperty('records')
  })

  it('lets others run while it looks at many sessions', async () => {
    for (let index = 0; index < 200; index++) await storeSession(storage, `s${index}`)
    withRecords(() => [])
    const { persistence } = await mount(ctx, driver)
    const order: string[] = []
    const listing = persistence.list({ details: true }).then(() => order.push('listed'))
    setImmediate(() => setImmediate(() => order.push('another')))
    await listing
    expect(order).toEqual(['another', 'listed'])
  })

  it('passes filters, order and pages on', async () => {
    for (const id of ['a', 'b', 'c'])
      await storeSession(storage, id, each => grow(each), { cwd: `/${id}`, createdAt: 1 })
    const { persistence } = await mount(ctx, storage)
    expect((await persistence.list({ cwd: '/b' })).entries.map(entry => entry.id)).toEqual(['b'])
    const first = await persistence.list({ limit: 2, order: 'oldest', details: true })
    expect(first.entries).toHaveLength(2)
    const rest = await persistence.list({ limit: 2, order: 'oldest', cursor: first.cursor! })
    expect([...first.entries, ...rest.entries].map(entry => entry.id).sort()).toEqual(['a', 'b', 'c'])
    expect(rest.cursor).toBeUndefined()
  })
})
