import { SessionError } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import { grow, mount, startApp, storeSession } from './app.js'
import { FaultyDriver, failure } from './faulty-driver.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'
import { addInterruptedTurn, addTurn } from './turns.js'

let ctx: Context
let storage: MemoryStorage

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
})

describe('load', () => {
  it('gives exactly what was appended, unknown events and all, and owns nothing', async () => {
    const before = await storeSession(storage, 's', session => {
      addInterruptedTurn(session, 1)
      const append = session.append.bind(session) as (type: string, data: unknown) => void
      append('plugin/unknown', { deep: [{ '': null }], text: '\ud800\u0000' })
    })
    const driver = new FaultyDriver(new MemoryDriver(storage))
    const { persistence } = await mount(ctx, driver)
    const { header, events, view, recovery } = await persistence.load('s')
    expect(header).toEqual(before.header)
    expect(events).toEqual(before.events)
    expect(view.deriveMessages()).toEqual(before.deriveMessages())
    expect(recovery).toBeUndefined()
    expect(driver.made('open')).toEqual(['open s read'])
    expect(driver.made('close')).toEqual(['close s'])
  })

  it('includes what a live session has yet to store', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s')
    grow(session, 3)
    expect((await persistence.load('s')).events).toEqual(session.events)
  })

  it('rejects where it would be shorter than what was appended', async () => {
    const driver = new FaultyDriver(new MemoryDriver(storage))
    const { persistence } = await mount(ctx, driver)
    const session = ctx.sessions.create('s')
    grow(session)
    await ctx.sessions.flush(session)
    grow(session)
    driver.plan('append', { before: failure() })
    await expect(persistence.load('s')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect((await persistence.load('s')).events).toEqual(session.events)
  })

  it('still shows what is stored of a session that can never be stored again', async () => {
    const driver = new FaultyDriver(new MemoryDriver(storage))
    const { persistence } = await mount(ctx, driver)
    const session = ctx.sessions.create('s')
    grow(session)
    await ctx.sessions.flush(session)
    grow(session)
    driver.plan('append', { before: failure('OWNERSHIP_LOST', {}) })
    await ctx.sessions.flush(session).catch(() => {})
    expect((await persistence.load('s')).events).toHaveLength(1)
  })

  it('does not store a session because somebody asks for it', async () => {
    const { persistence } = await mount(ctx, storage)
    ctx.sessions.create('s')
    await expect(persistence.load('s')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect(storage.sessions.size).toBe(0)
  })

  it('closes its reader when the read fails', async () => {
    await storeSession(storage, 's')
    const driver = new FaultyDriver(new MemoryDriver(storage))
    const { persistence } = await mount(ctx, driver)
    driver.plan('read', { before: new SessionError('SESSION_CORRUPT', { expected: 'a', found: 'b', byte: 7 }) })
    await expect(persistence.load('s')).rejects.toMatchObject({ code: 'SESSION_CORRUPT', byte: 7 })
    expect(driver.made('close')).toEqual(['close s'])
  })
})

describe('inspect', () => {
  it('shows the closers of a cold interrupted session and writes nothing', async () => {
    const before = await storeSession(storage, 's', session => addInterruptedTurn(session, 1))
    const records = [...storage.sessions.get('s' as never)!.records]
    const { persistence } = await mount(ctx, storage)
    const { events, closers, view } = await persistence.inspect('s')
    expect(closers).toHaveLength(4)
    expect(events).toEqual([...before.events, ...closers])
    expect(view.deriveMessages().length).toBe(4)
    expect(storage.sessions.get('s' as never)!.records).toEqual(records)
    expect((await persistence.load('s')).events).toEqual(before.events)
    const { session } = await persistence.resume('s')
    expect(session.events).toEqual(events)
  })

  it('leaves the open turn of a live session alone', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s')
    addInterruptedTurn(session, 1)
    const { events, closers } = await persistence.inspect('s')
    expect(closers).toEqual([])
    expect(events).toEqual(session.events)
  })

  it('is as load where no turn is open', async () => {
    const before = await storeSession(storage, 's', session => addTurn(session, 1))
    const { persistence } = await mount(ctx, storage)
    const { events, closers } = await persistence.inspect('s')
    expect([events, closers]).toEqual([before.events, []])
  })
})
