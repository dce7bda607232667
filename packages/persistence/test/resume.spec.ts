import { decodeRow, type SessionEvent } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ResumedSession } from '../src/resume.js'
import { grow, mount, startApp, storeSession } from './app.js'
import { FaultyDriver, failure, gate } from './faulty-driver.js'
import { quiet } from './manual-clock.js'
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

function stored(id: string): SessionEvent[] {
  return (storage.sessions.get(id as never)?.records ?? []).flatMap(record => decodeRow(record))
}

/** A plugin that resumes a session and keeps it. */
async function holder(id: string): Promise<ResumedSession & { dispose(): Promise<void> }> {
  let resumed!: ResumedSession
  const fiber = await ctx.plugin({
    inject: ['sessionPersistence'],
    async apply(scope: Context) {
      resumed = await scope.sessionPersistence.resume(id)
    },
  })
  return { ...resumed, dispose: () => fiber.dispose() }
}

describe('resume', () => {
  it('brings a session back into the store, announced, with nothing of it emitted, and goes on with it', async () => {
    const before = await storeSession(storage, 's', session => addTurn(session, 1), {
      cwd: '/work',
      delegationDepth: 2,
    })
    const { persistence } = await mount(ctx, storage)
    const heard: string[] = []
    ctx.on('session/created', session => void heard.push(`created ${session.id} at ${session.seq}`))
    ctx.on('session/event', (_, event) => void heard.push(`event ${event.seq}`))
    const { session, closers, recovery } = await persistence.resume('s')
    expect(ctx.sessions.get('s')).toBe(session)
    expect(session.header).toEqual(before.header)
    expect(session.events).toEqual(before.events)
    expect(session.firstLiveSeq).toBe(before.seq)
    expect(session.deriveMessages()).toEqual(before.deriveMessages())
    expect([closers, recovery]).toEqual([[], undefined])
    addTurn(session, 2)
    await ctx.sessions.flush(session)
    expect(heard.slice(0, 2)).toEqual([`created s at ${before.seq}`, `event ${before.seq}`])
    expect(stored('s')).toEqual(session.events)
  })

  it('leaves the stored bytes as they are when nothing is appended', async () => {
    await storeSession(storage, 's', session => addTurn(session, 1))
    const records = [...storage.sessions.get('s' as never)!.records]
    const { persistence } = await mount(ctx, driver)
    for (let time = 0; time < 3; time++) {
      const { session, release } = await persistence.resume('s')
      await ctx.sessions.flush(session)
      await release()
    }
    expect(storage.sessions.get('s' as never)!.records).toEqual(records)
    expect(driver.made('append')).toEqual([])
  })

  it('closes an interrupted turn in the storage first, once, below the first live event', async () => {
    const before = await storeSession(storage, 's', session => addInterruptedTurn(session, 1))
    const { persistence } = await mount(ctx, driver)
    const { session, closers, release } = await persistence.resume('s')
    expect(closers.map(event => event.type)).toEqual(['tool/result', 'tool/result', 'step/end', 'turn/end'])
    expect(session.events).toEqual([...before.events, ...closers])
    expect(session.firstLiveSeq).toBe(session.seq)
    expect(stored('s')).toEqual(session.events)
    await release()
    const again = await persistence.resume('s')
    expect(again.closers).toEqual([])
    expect(again.session.events).toEqual(session.events)
    expect(driver.made('append')).toHaveLength(1)
  })

  it('publishes nothing when the closers cannot be stored, and works when they can', async () => {
    await storeSession(storage, 's', session => addInterruptedTurn(session, 1))
    const { persistence } = await mount(ctx, driver)
    driver.plan('append', { before: failure() })
    await expect(persistence.resume('s')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(ctx.sessions.get('s')).toBeUndefined()
    expect(storage.sessions.get('s' as never)!.owner).toBeUndefined()
    const { session } = await persistence.resume('s')
    expect(stored('s')).toEqual(session.events)
  })

  it('gives callers at the same time one session, from one opening', async () => {
    await storeSession(storage, 's', session => addTurn(session, 1))
    const { persistence } = await mount(ctx, driver)
    const resumed = await Promise.all([1, 2, 3].map(() => persistence.resume('s')))
    resumed.push(await persistence.resume('s'))
    expect(new Set(resumed.map(({ session }) => session)).size).toBe(1)
    expect(driver.made('open')).toEqual(['open s write'])
  })

  it('keeps the session until the last holder has gone', async () => {
    await storeSession(storage, 's')
    await mount(ctx, storage)
    const [first, second] = await Promise.all([holder('s'), holder('s')])
    await first.dispose()
    grow(second.session)
    expect(ctx.sessions.get('s')).toBe(second.session)
    await second.dispose()
    expect(ctx.sessions.get('s')).toBeUndefined()
    expect(stored('s')).toEqual(second.session.events)
    expect(storage.sessions.get('s' as never)!.owner).toBeUndefined()
  })

  it('counts each release once', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, storage)
    const [first, second] = [await persistence.resume('s'), await persistence.resume('s')]
    await Promise.all([first.release(), first.release()])
    expect(ctx.sessions.get('s')).toBe(second.session)
    await second.release()
    expect(ctx.sessions.get('s')).toBeUndefined()
  })

  it('keeps a session that is taken again while its last holder flushes it', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, driver)
    const first = await persistence.resume('s')
    grow(first.session)
    const slow = gate()
    driver.plan('append', { wait: slow.promise })
    const released = first.release()
    const second = await persistence.resume('s')
    slow.open()
    await released
    expect(second.session).toBe(first.session)
    expect(ctx.sessions.get('s')).toBe(second.session)
    await second.release()
    expect(ctx.sessions.get('s')).toBeUndefined()
  })

  it('says when the flush of the last release failed, and lets the session go with its events kept', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, driver)
    const { session, release } = await persistence.resume('s')
    grow(session, 2)
    driver.plan('append', { before: failure() }).plan('append', { before: failure() })
    await expect(release()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(ctx.sessions.get('s')).toBeUndefined()
    const again = await persistence.resume('s')
    expect(again.session.events).toEqual(session.events)
  })

  it('never returns the shorter log of a session that left with undurable events', async () => {
    await storeSession(storage, 's', session => grow(session, 2))
    const { persistence } = await mount(ctx, driver)
    const { session, release } = await persistence.resume('s')
    grow(session, 3)
    for (let attempt = 0; attempt < 3; attempt++) driver.plan('append', { before: failure() })
    await release().catch(() => {})
    await quiet()
    await expect(persistence.resume('s')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(ctx.sessions.get('s')).toBeUndefined()
    expect((await persistence.resume('s')).session.seq).toBe(5)
  })

  it('waits until the last life of a session has given its lock back', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, driver)
    const first = await persistence.resume('s')
    const slow = gate()
    driver.plan('close', { wait: slow.promise }, 's')
    await first.release()
    const resuming = persistence.resume('s')
    await quiet()
    expect(driver.made('open')).toHaveLength(1)
    slow.open()
    expect((await resuming).session).not.toBe(first.session)
  })

  it('refuses a session whose events were lost with its ownership, and so does a close', async () => {
    await storeSession(storage, 's', session => grow(session, 2))
    const { persistence } = await mount(ctx, driver)
    const { session, release } = await persistence.resume('s')
    grow(session)
    driver.plan('append', { before: failure('OWNERSHIP_LOST', {}) })
    await expect(release()).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    await quiet()
    await expect(persistence.resume('s')).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    await expect(persistence.close()).rejects.toMatchObject({
      details: { undurable: [{ id: 's', durableSeq: 2, length: 3 }] },
    })
  })

  it('shares a session that was created here, and leaves it to its owner', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s')
    const resumed = await persistence.resume('s')
    expect(resumed.session).toBe(session)
    await resumed.release()
    expect(ctx.sessions.get('s')).toBe(session)
  })

  it('keeps references across a change of the backend', async () => {
    await storeSession(storage, 's')
    const first = await mount(ctx, storage)
    const one = await first.persistence.resume('s')
    await first.dispose()
    const { persistence } = await mount(ctx, storage)
    const two = await persistence.resume('s')
    expect(two.session).toBe(one.session)
    await one.release()
    expect(ctx.sessions.get('s')).toBe(two.session)
    grow(two.session)
    await two.release()
    expect(ctx.sessions.get('s')).toBeUndefined()
    expect(stored('s')).toEqual(two.session.events)
  })

  it('gives everything back when a listener vetoes the session', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, storage)
    const end = ctx.on('session/created', () => {
      throw new Error('not this one')
    })
    await expect(persistence.resume('s')).rejects.toThrow('not this one')
    expect(ctx.sessions.get('s')).toBeUndefined()
    expect(storage.sessions.get('s' as never)!.owner).toBeUndefined()
    end()
    expect((await persistence.resume('s')).session.id).toBe('s')
  })

  it('gives everything back when its caller has gone meanwhile', async () => {
    await storeSession(storage, 's')
    await mount(ctx, driver)
    const slow = gate()
    driver.plan('open', { wait: slow.promise })
    let resuming!: Promise<unknown>
    const fiber = await ctx.plugin({
      inject: ['sessionPersistence'],
      apply(scope: Context) {
        resuming = scope.sessionPersistence.resume('s')
      },
    })
    await fiber.dispose()
    slow.open()
    await expect(resuming).rejects.toThrow()
    expect(ctx.sessions.get('s')).toBeUndefined()
    await quiet()
    expect(storage.sessions.get('s' as never)!.owner).toBeUndefined()
  })

  it('gives the lock back when the backend goes in the middle of it', async () => {
    await storeSession(storage, 's', session => addTurn(session, 1))
    const { persistence, dispose } = await mount(ctx, driver)
    const slow = gate()
    driver.plan('read', { wait: slow.promise })
    const resuming = persistence.resume('s')
    const disposed = dispose()
    await quiet()
    slow.open()
    await expect(resuming).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await disposed
    expect(ctx.sessions.get('s')).toBeUndefined()
    expect(storage.sessions.get('s' as never)!.owner).toBeUndefined()
  })

  it('tells what opening the log had to recover', async () => {
    await storeSession(storage, 's', session => grow(session))
    const report = { torn: true, cutBytes: 17, keptEvents: 0, notes: ['half a line'] }
    const open = driver.open.bind(driver)
    driver.open = async (...args) => Object.defineProperty(await open(...args), 'recovery', { value: report })
    const { persistence } = await mount(ctx, driver)
    expect((await persistence.load('s')).recovery).toEqual(report)
    expect((await persistence.resume('s')).recovery).toEqual(report)
    const messages = ctx.logger.buffer.map(message => message.args.join(' '))
    expect(messages).toContainEqual('session "s" was recovered: half a line; 17 bytes cut')
  })

  it('refuses what is absent, locked, or of another format', async () => {
    await storeSession(storage, 's')
    await storeSession(storage, 'new')
    const { header } = storage.sessions.get('new' as never)!
    storage.sessions.set('new' as never, { header: { ...header, version: 2 }, records: [] })
    const { persistence } = await mount(ctx, storage)
    await expect(persistence.resume('nobody')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(persistence.resume('new')).rejects.toMatchObject({ code: 'FORMAT_UNSUPPORTED' })
    await expect(persistence.resume('')).rejects.toMatchObject({ code: 'INVALID_EVENT' })
    const other = await new MemoryDriver(storage).open('s' as never, 'write')
    await expect(persistence.resume('s')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    await other.close()
    expect((await persistence.resume('s')).session.id).toBe('s')
  })
})
