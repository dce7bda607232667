import { decodeRow, Session, type SessionError } from '@dsh/session'
import { beforeEach, describe, expect, it } from 'vitest'
import { GatedDriver } from '../src/gated-driver.js'
import { SessionWriter } from '../src/session-writer.js'
import { OperationSlots } from '../src/slots.js'
import type { StoredLogStart } from '../src/stored-log.js'
import { FaultyDriver, failure, gate } from './faulty-driver.js'
import { ManualClock, quiet } from './manual-clock.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'

let clock: ManualClock
let storage: MemoryStorage
let driver: FaultyDriver
let session: Session
let errors: SessionError[]

beforeEach(() => {
  clock = new ManualClock()
  storage = new MemoryStorage()
  driver = new FaultyDriver(new MemoryDriver(storage))
  session = new Session('s')
  errors = []
})

function write(start: StoredLogStart = 'new', of = session): SessionWriter {
  return new SessionWriter(of, start, {
    driver: new GatedDriver(driver, new OperationSlots()),
    clock,
    writeDelayMs: 250,
    packChunks: true,
    advanced: () => {},
    recovered: () => {},
    released: () => {},
    report: error => errors.push(error),
  })
}

function append(writer: SessionWriter, count = 1): void {
  for (let index = 0; index < count; index++) {
    session.append('todo/write', { todos: [{ content: `${session.seq}`, status: 'pending' }] })
    writer.touch()
  }
}

function stored(id = 's') {
  return (storage.sessions.get(id as never)?.records ?? []).flatMap(record => decodeRow(record))
}

describe('window', () => {
  it('opens with the first pending event and is not moved by later ones', async () => {
    const writer = write()
    append(writer)
    await clock.advance(200)
    append(writer)
    await clock.advance(49)
    expect(driver.calls).toEqual([])
    await clock.advance(1)
    expect(driver.calls).toEqual(['create s 0-2'])
    expect(stored()).toEqual(session.events)
  })

  it('lasts ten times as long as the last write took', async () => {
    const writer = write()
    const slow = gate()
    driver.plan('create', { wait: slow.promise })
    append(writer)
    await clock.advance(250)
    clock.time += 70
    append(writer)
    slow.open()
    await quiet()
    expect(clock.pending).toEqual([700])
    await clock.advance(700)
    expect(driver.calls).toEqual(['create s 0-1', 'append s 1-2'])
  })

  it('writes nothing for a session without events', async () => {
    write()
    await clock.advance(10_000)
    expect(driver.calls).toEqual([])
    expect(clock.pending).toEqual([])
  })

  it('stores the events that a session begins with', async () => {
    const parent = session
    parent.append('todo/write', { todos: [] })
    write('new', new Session('s', parent.events))
    await clock.advance(250)
    expect(stored()).toEqual(parent.events)
  })
})

describe('flush', () => {
  it('does not wait for the window', async () => {
    const writer = write()
    append(writer, 3)
    await writer.flush()
    expect(driver.calls).toEqual(['create s 0-3'])
    expect(writer.durableSeq).toBe(3)
    expect(clock.pending).toEqual([])
  })

  it('stores a session without events, once', async () => {
    const writer = write()
    await writer.flush()
    await writer.flush()
    expect(driver.calls).toEqual(['create s 0-0'])
    expect(storage.sessions.has(session.id)).toBe(true)
  })

  it('waits for the length at the call and for no more', async () => {
    const writer = write()
    append(writer)
    const [first, second] = [gate(), gate()]
    driver.plan('create', { wait: first.promise }).plan('append', { wait: second.promise })
    let isDone = false
    const early = writer.flush().then(() => {
      isDone = true
    })
    append(writer)
    const late = writer.flush()
    await quiet()
    expect(isDone).toBe(false)
    first.open()
    await early
    expect(writer.durableSeq).toBe(1)
    append(writer)
    second.open()
    await late
    expect(driver.calls).toEqual(['create s 0-1', 'append s 1-2'])
  })

  it('shares one write among those who wait', async () => {
    const writer = write()
    append(writer)
    const slow = gate()
    driver.plan('create', { wait: slow.promise })
    const flushes = [writer.flush(), writer.flush()]
    append(writer)
    flushes.push(writer.flush())
    append(writer)
    flushes.push(writer.flush())
    slow.open()
    await Promise.all(flushes)
    expect(driver.calls).toEqual(['create s 0-1', 'append s 1-3'])
  })

  it('opens a window for what came during the write', async () => {
    const writer = write()
    append(writer)
    const slow = gate()
    driver.plan('create', { wait: slow.promise })
    const flushed = writer.flush()
    append(writer)
    slow.open()
    await flushed
    await quiet()
    expect(driver.calls).toEqual(['create s 0-1'])
    await clock.advance(250)
    expect(driver.calls).toEqual(['create s 0-1', 'append s 1-2'])
  })
})

describe('failure', () => {
  it('is told at once, keeps the order, and is made good by a timer that doubles up to half a minute', async () => {
    const writer = write()
    append(writer)
    const pauses: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) driver.plan('create', { before: failure() })
    await clock.advance(250)
    expect(errors.map(error => error.code)).toEqual(['STORAGE_FAILED'])
    for (let attempt = 0; attempt < 7; attempt++) {
      pauses.push(...clock.pending)
      await clock.advance(clock.pending[0]!)
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(errors).toHaveLength(1)
    expect(stored()).toEqual(session.events)
    expect(writer.error).toBeUndefined()
    expect(clock.pending).toEqual([])
  })

  it('is retried after a second again once a write has succeeded', async () => {
    const writer = write()
    for (let time = 0; time < 2; time++) {
      append(writer)
      const operation = time === 0 ? 'create' : 'append'
      for (let attempt = 0; attempt < 3; attempt++) driver.plan(operation, { before: failure() })
      await clock.advance(250)
      expect(clock.pending).toEqual([1_000])
      await clock.advance(7_000)
      expect(writer.isDurable).toBe(true)
    }
  })

  it('rejects the flush that met it, and every one until it is made good', async () => {
    const writer = write()
    append(writer)
    driver.plan('create', { before: failure() }).plan('create', { before: failure() })
    await expect(writer.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    append(writer)
    await expect(writer.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await writer.flush()
    expect(stored()).toEqual(session.events)
    expect(errors).toHaveLength(1)
  })

  it('is tried again within a window of the next event', async () => {
    const writer = write()
    append(writer)
    for (let attempt = 0; attempt < 6; attempt++) driver.plan('create', { before: failure() })
    await clock.advance(20_000)
    expect(clock.pending[0]).toBeGreaterThan(250)
    append(writer, 5)
    expect(clock.pending).toEqual([250])
    await clock.advance(250)
    expect(driver.calls.at(-1)).toBe('create s 0-1')
  })

  it('writes the very same batch again, and what came since behind it', async () => {
    const writer = write()
    append(writer, 2)
    await writer.flush()
    append(writer, 3)
    driver.plan('append', { before: failure() })
    await expect(writer.flush()).rejects.toThrow()
    append(writer, 2)
    await writer.flush()
    expect(driver.calls).toEqual(['create s 0-2', 'append s 2-5', 'append s 2-5', 'append s 5-7'])
    expect(stored()).toEqual(session.events)
  })

  it('is told again when its reason changes, and when it returns', async () => {
    const writer = write()
    append(writer)
    driver.plan('create', { before: failure() }).plan('create', { before: new Error('disk on fire') })
    await clock.advance(250)
    await clock.advance(1_000)
    await clock.advance(2_000)
    append(writer)
    driver.plan('append', { before: failure() })
    await clock.advance(250)
    expect(errors.map(error => error.found)).toEqual([
      'a planned STORAGE_FAILED',
      'disk on fire',
      'a planned STORAGE_FAILED',
    ])
  })
})

describe('indeterminate failure', () => {
  const indeterminate = () => failure('STORAGE_FAILED', { indeterminate: true })

  it.each([
    ['a first batch', 0],
    ['a later batch', 2],
  ])('counts %s that was stored after all', async (_, before) => {
    const writer = write()
    if (before > 0) {
      append(writer, before)
      await writer.flush()
    }
    append(writer, 2)
    driver.plan(before === 0 ? 'create' : 'append', { after: indeterminate() })
    await writer.flush()
    append(writer)
    await writer.flush()
    expect(stored()).toEqual(session.events)
    expect(driver.made('create')).toHaveLength(1)
  })

  it.each(['create', 'append'] as const)('writes again what a failed %s did not store', async operation => {
    const writer = write()
    if (operation === 'append') {
      append(writer)
      await writer.flush()
    }
    append(writer, 2)
    driver.plan(operation, { before: indeterminate() })
    await expect(writer.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await writer.flush()
    expect(stored()).toEqual(session.events)
  })

  it('keeps asking while the storage does not answer', async () => {
    const writer = write()
    append(writer)
    await writer.flush()
    append(writer)
    driver.plan('append', { after: indeterminate() })
    driver.plan('read', { before: failure() }).plan('read', { before: failure() })
    await expect(writer.flush()).rejects.toMatchObject({ details: { indeterminate: true } })
    await expect(writer.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await writer.flush()
    expect(driver.made('append')).toHaveLength(1)
    expect(stored()).toEqual(session.events)
  })

  it('is a conflict where something else was stored', async () => {
    const writer = write()
    append(writer)
    await writer.flush()
    append(writer)
    driver.plan('append', { before: indeterminate() })
    const other = new Session('other')
    other.append('todo/write', { todos: [] })
    const donor = write('new', other)
    await donor.flush()
    storage.sessions.get(session.id)!.records.push({ ...storage.sessions.get(other.id)!.records[0]!, seq: 1 })
    await expect(writer.flush()).rejects.toMatchObject({ code: 'SEQ_CONFLICT' })
    expect(writer.isBlocked).toBe(true)
    expect(driver.made('append')).toHaveLength(1)
  })

  it('goes on behind the records that arrived', async () => {
    const writer = write()
    append(writer)
    await writer.flush()
    append(writer, 3)
    driver.plan('append', { before: indeterminate() })
    const whole = new Session('whole', session.events, { ...session.header, id: 'whole' as never })
    await write('new', whole).flush()
    storage.sessions.get(session.id)!.records.push(...storage.sessions.get(whole.id)!.records.slice(1, 3))
    await writer.flush()
    expect(driver.made('append')).toEqual(['append s 1-4', 'append s 3-4'])
    expect(stored()).toEqual(session.events)
  })
})

describe('a session that is not ours any more', () => {
  it('is never written to again', async () => {
    const writer = write()
    append(writer)
    await writer.flush()
    append(writer)
    driver.plan('append', { before: failure('OWNERSHIP_LOST', {}) })
    await expect(writer.flush()).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    append(writer)
    await clock.advance(100_000)
    await expect(writer.flush()).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    expect(driver.made('append')).toHaveLength(1)
    expect(errors.map(error => error.code)).toEqual(['OWNERSHIP_LOST'])
  })

  it('takes up its own stored log when a mirror was faster to create it', async () => {
    append(write())
    const mirror = new MemoryDriver(storage)
    driver.plan('create', { wait: mirror.create(session.header, []).then(handle => handle.close()) })
    await write().flush()
    expect(stored()).toEqual(session.events)
    expect(errors).toEqual([])
  })

  it('refuses to be created where another one is stored', async () => {
    const other = write('new', new Session('s', [], { ...session.header, createdAt: 1 }))
    await other.flush()
    const writer = write()
    append(writer)
    await clock.advance(250)
    expect(errors.map(error => error.code)).toEqual(['SESSION_LOCKED'])
    other.leave()
    await other.released
    await clock.advance(1_000)
    expect(errors.map(error => error.code)).toEqual(['SESSION_LOCKED', 'SESSION_ALREADY_EXISTS'])
    await expect(writer.flush()).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
    expect(stored()).toEqual([])
  })

  it('counts a conflict over its own records as success', async () => {
    const writer = write()
    append(writer)
    await writer.flush()
    append(writer)
    driver.plan('append', { after: failure('SEQ_CONFLICT', { expectedSeq: 1, currentSeq: 2 }) })
    await writer.flush()
    expect(stored()).toEqual(session.events)
    expect(errors).toEqual([])
  })
})

describe('leaving', () => {
  it('writes what is pending, then releases the storage', async () => {
    const writer = write()
    append(writer, 2)
    writer.leave()
    await writer.released
    expect(stored()).toEqual(session.events)
    expect(driver.calls.at(-1)).toBe('close s')
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
    expect(clock.pending).toEqual([])
  })

  it('holds the storage until a failing write has succeeded', async () => {
    const writer = write()
    append(writer)
    await writer.flush()
    append(writer)
    driver.plan('append', { before: failure() }).plan('append', { before: failure() })
    writer.leave()
    await quiet()
    expect(storage.sessions.get(session.id)!.owner).toBeDefined()
    await clock.advance(1_000)
    expect(storage.sessions.get(session.id)!.owner).toBeDefined()
    await clock.advance(2_000)
    await writer.released
    expect(stored()).toEqual(session.events)
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
  })

  it('leaves alone what is appended to the object later', async () => {
    const writer = write()
    append(writer)
    const slow = gate()
    driver.plan('create', { wait: slow.promise })
    const flushed = writer.flush()
    append(writer)
    writer.leave()
    append(writer)
    slow.open()
    await flushed
    await writer.released
    expect(stored()).toHaveLength(2)
    expect(writer.length).toBe(2)
  })

  it('stores nothing of a session that had nothing', async () => {
    const writer = write()
    writer.leave()
    await writer.released
    expect(driver.calls).toEqual([])
  })

  it('waits for the operation in flight when it is given up', async () => {
    const writer = write()
    append(writer)
    const slow = gate()
    driver.plan('create', { wait: slow.promise })
    const flushed = writer.flush()
    append(writer)
    const late = writer.flush()
    writer.abandon()
    let isReleased = false
    void writer.released.then(() => {
      isReleased = true
    })
    await quiet()
    expect(isReleased).toBe(false)
    slow.open()
    await writer.released
    await flushed
    await expect(late).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await expect(writer.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
  })

  it('tells a release that failed and is released all the same', async () => {
    const writer = write()
    append(writer)
    await writer.flush()
    driver.plan('close', { before: failure() })
    writer.leave()
    await writer.released
    expect(errors.map(error => error.code)).toEqual(['STORAGE_FAILED'])
  })
})

describe('adoption', () => {
  async function storeFirst(count: number): Promise<void> {
    const earlier = write()
    append(earlier, count)
    await earlier.flush()
    earlier.leave()
    await earlier.released
    driver.calls.length = 0
  }

  it('appends at once what a stored prefix lacks', async () => {
    await storeFirst(3)
    for (let index = 0; index < 2; index++) session.append('todo/write', { todos: [] })
    const writer = write('unknown')
    await quiet()
    expect(stored()).toEqual(session.events)
    expect(driver.made('append')).toEqual(['append s 3-5'])
    append(writer)
    await writer.flush()
    expect(stored()).toEqual(session.events)
  })

  it('creates what is not stored, but not a session without events', async () => {
    const writer = write('unknown')
    await quiet()
    expect(driver.calls).toEqual(['open s write'])
    append(writer)
    await clock.advance(250)
    expect(driver.calls).toEqual(['open s write', 'create s 0-1'])
  })

  it('writes nothing when both are equal', async () => {
    await storeFirst(3)
    write('unknown')
    await quiet()
    expect(driver.calls.filter(call => !call.startsWith('read'))).toEqual(['open s write'])
  })

  it.each([
    ['a longer log', (live: Session) => new Session('s', live.events.slice(0, 2), live.header), 'SEQ_CONFLICT'],
    [
      'another last event',
      (live: Session) => new Session('s', [...live.events.slice(0, 2), { ...live.events[0]!, seq: 2 }], live.header),
      'SEQ_CONFLICT',
    ],
    [
      'another incarnation',
      (live: Session) => new Session('s', live.events, { ...live.header, createdAt: 1 }),
      'SESSION_ALREADY_EXISTS',
    ],
    [
      'another directory',
      (live: Session) => new Session('s', live.events, { ...live.header, cwd: '/x' }),
      'SESSION_ALREADY_EXISTS',
    ],
  ])('writes nothing over %s, and says so at once with both lengths', async (_, make, code) => {
    await storeFirst(3)
    const before = [...storage.sessions.get(session.id)!.records]
    const live = make(session)
    const writer = write('unknown', live)
    await quiet()
    expect(errors.map(error => error.code)).toEqual([code])
    expect(errors[0]!.message).toContain('the stored log has 3 events')
    expect(errors[0]!.message).toContain(`the live one ${live.seq}`)
    await expect(writer.flush()).rejects.toMatchObject({ code })
    await expect(writer.flush()).rejects.toMatchObject({ code })
    expect(storage.sessions.get(session.id)!.records).toEqual(before)
    expect(storage.sessions.get(session.id)!.owner).toBeUndefined()
  })

  it('waits for a lock that an earlier life still holds', async () => {
    await storeFirst(1)
    const holder = await new MemoryDriver(storage).open(session.id, 'write')
    session.append('todo/write', { todos: [] })
    const writer = write('unknown')
    await quiet()
    expect(errors.map(error => error.code)).toEqual(['SESSION_LOCKED'])
    await holder.close()
    await clock.advance(1_000)
    expect(stored()).toEqual(session.events)
    expect(writer.error).toBeUndefined()
  })
})
