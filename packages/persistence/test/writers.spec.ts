import { Session } from '@dsh/session'
import { beforeEach, describe, expect, it } from 'vitest'
import { GatedDriver } from '../src/gated-driver.js'
import { OperationSlots } from '../src/slots.js'
import { Writers } from '../src/writers.js'
import { grow } from './app.js'
import { FaultyDriver, failure, gate } from './faulty-driver.js'
import { ManualClock, quiet } from './manual-clock.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'

let clock: ManualClock
let driver: FaultyDriver
let writers: Writers

beforeEach(() => {
  clock = new ManualClock()
  driver = new FaultyDriver(new MemoryDriver(new MemoryStorage()))
  writers = new Writers({
    driver: new GatedDriver(driver, new OperationSlots()),
    clock,
    writeDelayMs: 250,
    packChunks: true,
    advanced: () => {},
    recovered: () => {},
    report: () => {},
  })
})

function grown(id: string, count = 1): Session {
  const session = new Session(id)
  grow(session, count)
  return session
}

describe('writers', () => {
  it('know a session by itself and by its id, and no other object of that id', () => {
    const session = grown('s')
    const writer = writers.attach(session, 'new')
    expect(writers.of(session)).toBe(writer)
    expect(writers.get(session.id)).toBe(writer)
    expect(writers.of(grown('s'))).toBeUndefined()
    expect(() => writers.attach(grown('s'), 'new')).toThrow(/SESSION_ALREADY_EXISTS/)
  })

  it('forget a session when it has left the storage, at once where nothing was stored', async () => {
    const stored = writers.attach(grown('stored'), 'new')
    await stored.flush()
    stored.leave()
    expect(writers.get(stored.session.id)).toBe(stored)
    await stored.released
    expect(writers.get(stored.session.id)).toBeUndefined()
    const empty = writers.attach(new Session('empty'), 'new')
    empty.leave()
    expect(writers.get(empty.session.id)).toBeUndefined()
  })

  it('settle what can be settled', async () => {
    const session = grown('s')
    const writer = writers.attach(session, 'new')
    await writers.settle(session.id)
    expect(writer.durableSeq).toBe(1)
    grow(session)
    driver.plan('append', { before: failure() })
    await expect(writers.settle(session.id)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    driver.plan('append', { before: failure('OWNERSHIP_LOST', {}) })
    await expect(writers.settle(session.id)).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    await writers.settle(session.id)
    await writers.settle('nobody' as never)
  })

  it('drain everything that was appended before, within a time, and name the rest', async () => {
    const [fine, failing, slow] = [grown('fine', 2), grown('failing', 3), grown('slow', 4)]
    for (const session of [fine, failing, slow]) writers.attach(session, 'new')
    const held = gate()
    driver.plan('create', { before: failure() }, 'failing').plan('create', { wait: held.promise }, 'slow')
    const drained = writers.drain(clock, clock.time + 100).catch(error => error)
    await quiet()
    grow(fine)
    await clock.advance(100)
    const error = await drained
    expect(error.message).toContain('"failing" with 0 of 3 events')
    expect(error.message).toContain('"slow" with 0 of 4 events (still being written)')
    expect(error.details.undurable.map(({ id }: { id: string }) => id)).toEqual(['failing', 'slow'])
    held.open()
    await writers.drain(clock, clock.time + 100)
    expect(writers.of(failing)!.durableSeq).toBe(3)
  })

  it('remember what a session lost for good, unless the stored log never was its own', async () => {
    const lost = grown('lost')
    const writer = writers.attach(lost, 'new')
    await writer.flush()
    grow(lost)
    driver.plan('append', { before: failure('OWNERSHIP_LOST', {}) })
    await writer.flush().catch(() => {})
    writer.leave()
    await writer.released
    expect(() => writers.refuseLost(lost.id)).toThrow(/OWNERSHIP_LOST/)
    await expect(writers.drain(clock, clock.time + 100)).rejects.toMatchObject({
      details: { undurable: [{ id: 'lost' }] },
    })

    const shorter = writers.attach(new Session('lost', lost.events.slice(0, 0), lost.header), 'unknown')
    await shorter.flush().catch(() => {})
    shorter.leave()
    await shorter.released
    expect(() => writers.refuseLost(lost.id)).not.toThrow()
    const other = writers.attach(grown('lost', 9), 'new')
    await other.flush().catch(() => {})
    other.leave()
    await other.released
    expect(() => writers.refuseLost(lost.id)).not.toThrow()
  })

  it('discard a session without missing its events', async () => {
    const session = grown('s')
    const writer = writers.attach(session, 'new')
    driver.plan('create', { before: failure('OWNERSHIP_LOST', {}) })
    await writer.flush().catch(() => {})
    await writers.discard(writer)
    expect(writers.get(session.id)).toBeUndefined()
    expect(() => writers.refuseLost(session.id)).not.toThrow()
  })

  it('let nobody wait when there is no time, and write on all the same', async () => {
    const session = grown('s')
    const writer = writers.attach(session, 'new')
    const held = gate()
    driver.plan('create', { wait: held.promise })
    const waiting = writer.flush().catch(error => error)
    writers.stopWaiting()
    expect((await waiting).code).toBe('STORAGE_FAILED')
    await expect(writer.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    held.open()
    await quiet()
    await writer.flush()
    expect(writer.durableSeq).toBe(1)
  })

  it('take up a session behind its earlier life, and account for both', async () => {
    const session = grown('s')
    const earlier = writers.attach(session, 'new')
    driver.plan('create', { before: failure() })
    earlier.leave()
    await quiet()
    const again = new Session('s', session.events, session.header)
    grow(again)
    const writer = writers.succeed(again, earlier)
    expect(writers.get(session.id)).toBe(writer)
    const flushed = writer.flush()
    await quiet()
    expect(driver.made('open')).toEqual([])
    await writers.drain(clock, clock.time + 100)
    await flushed
    expect(driver.made('append')).toEqual(['append s 1-2'])
    expect(writers.get(session.id)).toBe(writer)
  })

  it('still answer flushes when all were abandoned', async () => {
    const session = grown('s')
    const writer = writers.attach(session, 'new')
    await writer.flush()
    await writers.abandonAll()
    await writers.of(session)!.flush()
    grow(session)
    await expect(writers.of(session)!.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    writer.touch()
    expect(clock.pending).toEqual([])
  })
})
