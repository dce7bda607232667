import type { SessionEvent } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { grow, mount, startApp, storeSession } from './app.js'
import { FaultyDriver, failure } from './faulty-driver.js'
import { quiet } from './manual-clock.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'
import { observedStorage, richManifest } from './rich-driver.js'
import { addTurn } from './turns.js'

let ctx: Context
let storage: MemoryStorage
let stop: AbortController

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
  stop = new AbortController()
})

/** Collects what a watcher gives. */
function follow(events: AsyncIterable<SessionEvent>) {
  const seen: SessionEvent[] = []
  const ended = (async () => {
    for await (const event of events) seen.push(event)
  })()
  ended.catch(() => {})
  return { seen, ended }
}

describe('watch', () => {
  it('gives what is stored and then each event once it is durable', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s')
    addTurn(session, 1)
    await ctx.sessions.flush(session)
    const { seen, ended } = follow(persistence.watch('s', 4, stop.signal))
    await vi.waitFor(() => expect(seen).toEqual(session.slice(4)))
    addTurn(session, 2)
    await quiet()
    expect(seen).toEqual(session.slice(4, 11))
    await ctx.sessions.flush(session)
    await vi.waitFor(() => expect(seen).toEqual(session.slice(4)))
    stop.abort()
    await ended
  })

  it('misses nothing that is stored while it reads', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s')
    await ctx.sessions.flush(session)
    const seen: number[] = []
    const ended = (async () => {
      for await (const event of persistence.watch('s', 0, stop.signal)) {
        seen.push(event.seq)
        if (session.seq < 50) {
          grow(session)
          await ctx.sessions.flush(session)
        } else stop.abort()
      }
    })()
    grow(session)
    await ctx.sessions.flush(session)
    await ended
    expect(seen.slice(0, 50)).toEqual(Array.from({ length: seen.length }, (_, seq) => seq).slice(0, 50))
    expect(seen.length).toBeGreaterThanOrEqual(49)
  })

  it('gives nothing that may still come to nothing', async () => {
    const stored = await storeSession(storage, 's', each => grow(each, 5))
    let trustedSeq: number | undefined = 3
    class Tail extends MemoryDriver {
      override async open(...[id, mode]: Parameters<MemoryDriver['open']>) {
        const handle = await super.open(id, mode)
        return Object.defineProperty(handle, 'trustedSeq', { get: () => trustedSeq })
      }
    }
    const { persistence } = await mount(ctx, { driver: new Tail(storage), pollMs: 1 })
    const { seen, ended } = follow(persistence.watch('s', 0, stop.signal))
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(3))
    expect(seen).toEqual(stored.slice(0, 3))
    trustedSeq = undefined
    await vi.waitFor(() => expect(seen).toEqual(stored.events))
    stop.abort()
    await ended
  })

  it('looks from time to time for what another process stores', async () => {
    await storeSession(storage, 's', each => grow(each))
    const { persistence } = await mount(ctx, { driver: new MemoryDriver(storage), pollMs: 1 })
    const { seen, ended } = follow(persistence.watch('s', 0, stop.signal))
    const other = await startApp()
    await mount(other, storage)
    const { session } = await other.sessionPersistence.resume('s')
    for (let round = 0; round < 3; round++) {
      grow(session)
      await other.sessions.flush(session)
      await vi.waitFor(() => expect(seen).toEqual(session.events))
    }
    stop.abort()
    await ended
  })

  it('hears from a driver with a change notice and never polls', async () => {
    const observed = observedStorage()
    const writer = await observed.connect().create({ version: 1, id: 's' as never, createdAt: 1 }, [])
    const { persistence } = await mount(ctx, { driver: observed.connect(), manifest: richManifest, pollMs: 1 })
    const { seen, ended } = follow(persistence.watch('s', 0, stop.signal))
    await vi.waitFor(() => expect(observed.storage.observers.size).toBe(1))
    const donor = await storeSession(storage, 'donor', each => grow(each, 2))
    const { records } = storage.sessions.get(donor.id)!
    await writer.append(0, records.slice(0, 1))
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await writer.append(1, records.slice(1))
    await vi.waitFor(() => expect(seen).toEqual(donor.events))
    stop.abort()
    await ended
    expect(observed.storage.observers.size).toBe(0)
  })

  it('ends with the backend', async () => {
    const { persistence, dispose } = await mount(ctx, storage)
    const session = ctx.sessions.create('s')
    grow(session)
    await ctx.sessions.flush(session)
    const { seen, ended } = follow(persistence.watch('s'))
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await dispose()
    await ended
  })

  it('gives its reader back, however it ends', async () => {
    await storeSession(storage, 's', each => grow(each, 3))
    const driver = new FaultyDriver(new MemoryDriver(storage))
    const { persistence } = await mount(ctx, driver)
    for await (const event of persistence.watch('s')) if (event.seq === 1) break
    const { ended } = follow(persistence.watch('s', 0, AbortSignal.abort()))
    await ended
    driver.plan('read', { before: failure('SESSION_CORRUPT') })
    await expect(follow(persistence.watch('s')).ended).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    expect(driver.made('open')).toEqual(['open s read', 'open s read'])
    expect(driver.made('close')).toEqual(['close s', 'close s'])
  })

  it('waits for a live session to be stored', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s')
    const { seen, ended } = follow(persistence.watch('s', 0, stop.signal))
    await quiet()
    grow(session, 2)
    await ctx.sessions.flush(session)
    await vi.waitFor(() => expect(seen).toEqual(session.events))
    stop.abort()
    await ended
    const other = ctx.sessions.create('never stored')
    const second = new AbortController()
    const never = follow(persistence.watch(other.id, 0, second.signal))
    await quiet()
    second.abort()
    await never.ended
  })

  it('ends with an error when the session is removed', async () => {
    await storeSession(storage, 's', each => grow(each))
    const { persistence } = await mount(ctx, storage)
    for (const removal of ['trash', 'delete'] as const) {
      const { seen, ended } = follow(persistence.watch('s', 0, stop.signal))
      await vi.waitFor(() => expect(seen).toHaveLength(1))
      await persistence[removal]('s')
      await expect(ended).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
      if (removal === 'trash') await persistence.restore('s')
    }
  })

  it.each([-1, 0.5, Number.NaN])('refuses to start at %s', async seq => {
    const { persistence } = await mount(ctx, storage)
    expect(() => persistence.watch('s', seq)).toThrow(/INVALID_BOUNDARY/)
  })

  it('says that there is nothing to watch', async () => {
    const { persistence } = await mount(ctx, storage)
    await expect(follow(persistence.watch('nobody')).ended).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect(() => persistence.watch('')).toThrow(/INVALID_EVENT/)
  })
})
