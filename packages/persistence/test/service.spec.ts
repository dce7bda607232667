import { decodeRow, isSessionError, type Session } from '@dsh/session'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SessionPersistence } from '../src/service.js'
import { grow, mount, startApp, TestPersistence } from './app.js'
import { FaultyDriver, failure, gate } from './faulty-driver.js'
import { quiet } from './manual-clock.js'
import { MemoryDriver, MemoryStorage, memoryManifest } from './memory-driver.js'

let ctx: Context
let storage: MemoryStorage
let driver: FaultyDriver

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
  driver = new FaultyDriver(new MemoryDriver(storage))
})

function stored(id: string, where = storage) {
  return (where.sessions.get(id as never)?.records ?? []).flatMap(record => decodeRow(record))
}

function create(id: string, count = 0): Session {
  const session = ctx.sessions.create(id)
  grow(session, count)
  return session
}

describe('a mounted backend', () => {
  it('stores what is appended, and finds it again', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s', { meta: { cwd: '/work' } })
    grow(session, 3)
    await ctx.sessions.flush(session)
    expect(persistence.durableSeq(session)).toBe(3)
    const found = await persistence.load('s')
    expect(found.header).toEqual(session.header)
    expect(found.events).toEqual(session.events)
  })

  it('stores what nobody flushes, too', async () => {
    await mount(ctx, { driver, writeDelayMs: 0 })
    const session = create('s', 3)
    await vi.waitFor(() => expect(stored('s')).toEqual(session.events))
  })

  it('makes an empty session durable when it is flushed, so that it is listed', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = create('s')
    expect((await persistence.list()).entries).toEqual([])
    await ctx.sessions.flush(session)
    expect((await persistence.list()).entries.map(entry => [entry.id, entry.nextSeq])).toEqual([['s', 0]])
  })

  it('stores all that a fork inherits, and emits none of it', async () => {
    await mount(ctx, storage)
    const parent = create('parent', 5)
    const heard: number[] = []
    ctx.on('session/event', (session, event) => {
      if (session.id === 'child') heard.push(event.seq)
    })
    const child = ctx.sessions.fork(parent, 3, 'child')
    await ctx.sessions.flush(child)
    expect(stored('child')).toEqual(parent.slice(0, 4))
    expect(storage.sessions.get('child' as never)!.header).toMatchObject({ parentSession: 'parent', seedLength: 4 })
    grow(child)
    grow(parent)
    await Promise.all([ctx.sessions.flush(child), ctx.sessions.flush(parent)])
    expect(heard).toEqual([4])
    expect(stored('child')).toEqual(child.events)
    expect(stored('parent')).toEqual(parent.events)
  })

  it('refuses the creation of a session whose id is stored, where the driver can tell at once', async () => {
    await mount(ctx, storage)
    const first = create('s', 2)
    await ctx.sessions.flush(first)
    const other = await startApp()
    await mount(other, storage)
    expect(() => other.sessions.create('s')).toThrow(/SESSION_ALREADY_EXISTS/)
    expect(other.sessions.get('s')).toBeUndefined()
  })

  it('takes up a stored session that is replayed by hand, and no other of its id', async () => {
    const { persistence, errors } = await mount(ctx, storage)
    const owner = await ctx.plugin({
      inject: ['sessions'],
      apply: (scope: Context) => grow(scope.sessions.create('s'), 3),
    })
    await owner.dispose()
    const { header, events } = await persistence.load('s')
    const session = ctx.sessions.create('s', { seed: events, meta: { createdAt: header.createdAt } })
    grow(session)
    await ctx.sessions.flush(session)
    expect(stored('s')).toEqual(session.events)
    expect(errors).toEqual([])

    const other = await startApp()
    const second = await mount(other, storage)
    const copy = other.sessions.create('s', { seed: events, meta: { createdAt: 1 } })
    await quiet()
    expect(second.errors).toMatchObject([{ error: { code: 'SESSION_LOCKED' } }])
    await ctx.fiber.dispose()
    await expect(other.sessions.flush(copy)).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
    expect(stored('s')).toHaveLength(4)
  })

  it('takes a new session when the storage is out of reach, and stores it as soon as it can', async () => {
    driver.exists = () => {
      throw failure()
    }
    const { errors } = await mount(ctx, driver)
    driver.plan('open', { before: failure() })
    const session = create('s', 2)
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await ctx.sessions.flush(session)
    expect(stored('s')).toEqual(session.events)
    expect(errors).toMatchObject([{ error: { code: 'STORAGE_FAILED' }, session: { id: 's' } }])
  })

  it('tells as soon as it can that an id is stored, where the driver cannot tell at once', async () => {
    await new MemoryDriver(storage).create({ version: 1, id: 's' as never, createdAt: 1 }, [])
    delete driver.exists
    const manifest = { ...memoryManifest, capabilities: { ...memoryManifest.capabilities, existence: false } }
    storage.sessions.get('s' as never)!.owner = undefined as never
    const { errors } = await mount(ctx, { driver, manifest })
    const session = create('s')
    await quiet()
    expect(errors.map(({ error, session }) => [error.code, session?.id])).toEqual([['SESSION_ALREADY_EXISTS', 's']])
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
  })

  it('fails to start, with the reason, when its storage cannot be opened or its options are wrong', async () => {
    class Broken extends SessionPersistence {
      constructor(ctx: Context) {
        super(ctx, { manifest: memoryManifest, connect: () => Promise.reject(failure()) })
      }
    }
    await expect(ctx.plugin(Broken)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await expect(ctx.plugin(TestPersistence, { driver, writeDelayMs: -1 })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      path: 'writeDelayMs',
    })
    expect(ctx.get('sessionPersistence')).toBeUndefined()
  })

  it('refuses what its driver cannot do', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = create('s', 1)
    await ctx.sessions.flush(session)
    await expect(persistence.search('x')).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(persistence.salvage('s', 't')).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    expect(() => persistence.locate(session.header)).toThrow(/UNSUPPORTED/)
  })

  it('tells a failed write at once, with the session that it concerns', async () => {
    const { errors } = await mount(ctx, driver)
    const session = create('s', 1)
    driver.plan('create', { before: failure() })
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(errors).toMatchObject([{ error: { code: 'STORAGE_FAILED' }, session: { id: 's' } }])
    await ctx.sessions.flush(session)
    expect(stored('s')).toEqual(session.events)
  })

  it('does not take a session for durable that it never heard of', async () => {
    await mount(ctx, storage)
    const session = ctx.sessions.prepare('s')
    const detach = ctx.sessions.enter(session)
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ code: 'SESSION_NOT_LIVE' })
    ctx.sessions.announce(session)
    await ctx.sessions.flush(session)
    expect(storage.sessions.has(session.id)).toBe(true)
    detach()
  })

  it('takes no more than two operations at a time to the storage, and every session in its turn', async () => {
    await mount(ctx, driver)
    const sessions = Array.from({ length: 20 }, (_, index) => create(`s${index}`, 1))
    for (let round = 0; round < 3; round++) {
      await Promise.all(sessions.map(session => ctx.sessions.flush(session)))
      for (const session of sessions) grow(session)
    }
    expect(driver.mostRunning).toBe(2)
    expect(driver.made('append')).toHaveLength(40)
  })
})

describe('leaving', () => {
  it('drains before the plugin is gone, also what its users append while they go', async () => {
    const { dispose } = await mount(ctx, driver)
    const session = create('s', 2)
    await ctx.plugin({
      inject: ['sessionPersistence'],
      apply(scope: Context) {
        scope.effect(() => async () => {
          await quiet()
          grow(session)
        })
      },
    })
    await dispose()
    expect(session.seq).toBe(3)
    expect(stored('s')).toEqual(session.events)
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
    expect(driver.calls.at(-1)).toBe('close')
  })

  it('stores what is flushed while it drains, sessions that begin then among it', async () => {
    const { dispose } = await mount(ctx, driver)
    const session = create('s', 1)
    await ctx.sessions.flush(session)
    grow(session)
    const slow = gate()
    driver.plan('append', { wait: slow.promise })
    const disposing = dispose()
    await vi.waitFor(() => expect(driver.made('append')).toHaveLength(1))
    grow(session)
    const flushed = ctx.sessions.flush(session)
    const late = create('late', 1)
    const flushedLate = ctx.sessions.flush(late)
    slow.open()
    await flushed
    expect(stored('s')).toEqual(session.events)
    await flushedLate
    expect(stored('late')).toEqual(late.events)
    await disposing
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
  })

  it('drains when the whole application goes', async () => {
    await mount(ctx, storage)
    const session = create('s', 2)
    await ctx.fiber.dispose()
    expect(stored('s')).toEqual(session.events)
  })

  it('drains when the store goes', async () => {
    const app = new Context()
    const store = await app.plugin(SessionStore)
    await mount(app, storage)
    const session = app.sessions.create('s')
    grow(session, 2)
    await store.dispose()
    expect(stored('s')).toEqual(session.events)
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
  })

  it('rejects a close, naming what is not durable, and can be closed again', async () => {
    const { persistence } = await mount(ctx, driver)
    const session = create('s', 2)
    await ctx.sessions.flush(session)
    grow(session, 3)
    const other = create('other', 1)
    driver.plan('append', { before: failure() }).plan('create', { before: failure() })
    const error: unknown = await persistence.close().catch(reason => reason)
    expect(isSessionError(error, 'STORAGE_FAILED') && error.details.undurable).toMatchObject([
      { id: 's', durableSeq: 2, length: 5, error: { code: 'STORAGE_FAILED' } },
      { id: 'other', durableSeq: 0, length: 1 },
    ])
    await persistence.close()
    await persistence.close()
    expect(stored('s')).toEqual(session.events)
    expect(stored('other')).toEqual(other.events)
    expect(driver.made('close').filter(call => call === 'close')).toHaveLength(1)
  })

  it('is not quiet about events that come after a close', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = create('s', 1)
    await persistence.close()
    await ctx.sessions.flush(session)
    grow(session)
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await expect(ctx.sessions.flush(create('late'))).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await expect(persistence.load('s')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(() => persistence.watch('s')).toThrow(/STORAGE_FAILED/)
  })

  it('gives up a close after its time, and keeps the lock while the operation is in flight', async () => {
    const { persistence, dispose } = await mount(ctx, { driver, closeTimeoutMs: 5 })
    const session = create('s', 1)
    const slow = gate()
    driver.plan('create', { wait: slow.promise })
    await expect(persistence.close()).rejects.toThrow(/"s" with 0 of 1 events \(still being written\)/)
    await dispose()
    expect(driver.calls).not.toContain('close')
    slow.open()
    await vi.waitFor(() => expect(driver.calls.at(-1)).toBe('close'))
    expect(stored('s')).toEqual(session.events)
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
  })

  it('does not let a plugin that flushes as it goes hold a disposal up for longer than its time', async () => {
    const { dispose } = await mount(ctx, { driver, closeTimeoutMs: 5 })
    const slow = gate()
    driver.plan('create', { wait: slow.promise })
    const failed: unknown[] = []
    await ctx.plugin({
      inject: ['sessions', 'sessionPersistence'],
      apply(scope: Context) {
        const session = scope.sessions.create('s')
        grow(session)
        scope.effect(() => () => scope.sessions.flush(session).catch(error => void failed.push(error)))
      },
    })
    await dispose()
    expect(failed).toMatchObject([{ code: 'STORAGE_FAILED' }])
    slow.open()
    await vi.waitFor(() => expect(storage.sessions.get('s' as never)?.owner).toBeUndefined())
    expect(stored('s')).toHaveLength(1)
  })

  it('tells what a disposal could not make durable', async () => {
    const { errors, dispose } = await mount(ctx, driver)
    create('s', 1)
    for (let attempt = 0; attempt < 3; attempt++) driver.plan('create', { before: failure() })
    await dispose()
    expect(errors.at(-1)).toMatchObject({ error: { details: { undurable: [{ id: 's', durableSeq: 0, length: 1 }] } } })
    expect(driver.calls.at(-1)).toBe('close')
  })

  it('keeps the lock of a session that left with undurable events until they are stored', async () => {
    const { persistence } = await mount(ctx, driver)
    const owner = await ctx.plugin({
      inject: ['sessions'],
      apply(scope: Context) {
        grow(scope.sessions.create('s'), 2)
      },
    })
    const session = ctx.sessions.get('s')!
    await ctx.sessions.flush(session)
    grow(session, 3)
    driver.plan('append', { before: failure() }).plan('append', { before: failure() })
    await owner.dispose()
    expect(ctx.sessions.get('s')).toBeUndefined()
    expect(storage.sessions.get(session.id)!.owner).toBeDefined()
    await expect(persistence.delete('s')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    expect(() => ctx.sessions.create('s')).toThrow(/SESSION_ALREADY_EXISTS/)
    const { session: resumed } = await persistence.resume('s')
    expect(resumed.events).toEqual(session.events)
    expect(resumed.seq).toBe(5)
  })
})

describe('another backend', () => {
  it('takes over at run time whole, with what was appended in between', async () => {
    const first = await mount(ctx, storage)
    const session = create('s', 3)
    const empty = create('empty')
    await ctx.sessions.flush(session)
    grow(session)
    await first.dispose()
    expect(stored('s')).toEqual(session.events)
    grow(session, 2)
    const second = new MemoryStorage()
    const { persistence } = await mount(ctx, second)
    grow(session)
    await ctx.sessions.flush(session)
    expect(stored('s', second)).toEqual(session.events)
    expect(stored('s')).toHaveLength(4)
    expect(persistence.durableSeq(session)).toBe(7)
    expect(second.sessions.has(empty.id)).toBe(false)
  })

  it('goes on where a reload of the plugin left off, on the same storage', async () => {
    const fiber = await ctx.plugin(TestPersistence, { driver, writeDelayMs: 1_000_000 })
    const session = create('s', 3)
    await ctx.sessions.flush(session)
    for (let reload = 0; reload < 3; reload++) {
      grow(session)
      await fiber.update({ driver: new MemoryDriver(storage), writeDelayMs: 1_000_000 })
      expect(stored('s')).toEqual(session.events)
      grow(session)
      await ctx.sessions.flush(session)
      expect(stored('s')).toEqual(session.events)
    }
  })

  it('writes nothing over the log of another session of the same id', async () => {
    const other = new MemoryStorage()
    const donor = await startApp()
    await mount(donor, other)
    const foreign = donor.sessions.create('s')
    grow(foreign, 9)
    await donor.fiber.dispose()
    const session = create('s', 2)
    const { errors } = await mount(ctx, other)
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ details: { storedSeq: 9, liveSeq: 2 } })
    expect(errors).toHaveLength(1)
    expect(stored('s', other)).toHaveLength(9)
  })

  it('mirrors the store beside a first one, neither held back by the other', async () => {
    const second = new MemoryStorage()
    const slow = new FaultyDriver(new MemoryDriver(second))
    const left = await mount(ctx, storage)
    const side = ctx.isolate('sessionPersistence')
    const right = await mount(side, slow)
    expect(side.sessionPersistence).not.toBe(ctx.sessionPersistence)
    const session = create('s', 2)
    const held = gate()
    slow.plan('create', { wait: held.promise })
    const flushed = ctx.sessions.flush(session)
    await quiet()
    expect(left.persistence.durableSeq(session)).toBe(2)
    expect(right.persistence.durableSeq(session)).toBe(0)
    held.open()
    await flushed
    expect(stored('s', second)).toEqual(session.events)

    grow(session)
    slow.plan('append', { before: failure() })
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(stored('s')).toEqual(session.events)
    expect([left.errors.length, right.errors.length]).toEqual([0, 1])
  })

  it('mirrors a session that the other one resumes while its earlier life is still being stored here', async () => {
    const second = new MemoryStorage()
    const slow = new FaultyDriver(new MemoryDriver(second))
    const left = await mount(ctx, storage)
    await mount(ctx.isolate('sessionPersistence'), slow)
    await ctx.sessions.flush(create('s', 1))
    await ctx.fiber.dispose()

    const app = await startApp()
    const one = await mount(app, storage)
    const two = await mount(app.isolate('sessionPersistence'), slow)
    const first = await one.persistence.resume('s')
    await app.sessions.flush(first.session)
    grow(first.session)
    slow.plan('append', { before: failure() }).plan('append', { before: failure() })
    await first.release().catch(() => {})
    const { session } = await one.persistence.resume('s')
    grow(session)
    await two.persistence.close()
    expect(stored('s', second)).toEqual(session.events)
    expect(left.errors).toEqual([])
  })

  it('mirrors a session that the other one resumes', async () => {
    const second = new MemoryStorage()
    const left = await mount(ctx, storage)
    await mount(ctx.isolate('sessionPersistence'), second)
    const owner = await ctx.plugin({
      inject: ['sessions'],
      apply(scope: Context) {
        for (const id of ['s', 'empty']) void scope.sessions.flush(scope.sessions.create(id))
        grow(scope.sessions.get('s')!, 2)
      },
    })
    await owner.dispose()
    for (const id of ['s', 'empty']) {
      const { session } = await left.persistence.resume(id)
      grow(session)
      await ctx.sessions.flush(session)
      expect(stored(id)).toEqual(session.events)
      expect(stored(id, second)).toEqual(session.events)
    }
  })
})
