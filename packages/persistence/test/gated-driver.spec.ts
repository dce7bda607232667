import { SessionError } from '@dsh/session'
import { beforeEach, describe, expect, it } from 'vitest'
import { header, sampleRecords } from '../src/conformance/records.js'
import { GatedDriver } from '../src/gated-driver.js'
import { OperationSlots } from '../src/slots.js'
import { FaultyDriver, gate } from './faulty-driver.js'
import { quiet } from './manual-clock.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'

let driver: FaultyDriver
let gated: GatedDriver

beforeEach(() => {
  driver = new FaultyDriver(new MemoryDriver(new MemoryStorage()))
  gated = new GatedDriver(driver, new OperationSlots(1))
})

describe('a gated driver', () => {
  it('makes operations of all kinds and handles wait for each other', async () => {
    const handle = await gated.create(header('a'), [])
    const slow = gate()
    driver.plan('append', { wait: slow.promise })
    const appended = handle.append(0, sampleRecords(1))
    const listed = gated.list({})
    const created = gated.create(header('b'), [])
    await quiet()
    expect(driver.calls).toEqual(['create a 0-0', 'append a 0-17'])
    slow.open()
    await Promise.all([appended, listed, created])
    expect(driver.mostRunning).toBe(1)
    expect((await listed).entries).toHaveLength(1)
  })

  it('occupies a place for a read only while a batch is fetched', async () => {
    const handle = await gated.create(header('a'), sampleRecords(100))
    let batches = 0
    for await (const _ of handle.read({})) {
      batches++
      await gated.list({})
    }
    expect(batches).toBeGreaterThan(1)
  })

  it('does not begin a read that was given up before', async () => {
    const handle = await gated.create(header('a'), sampleRecords(1))
    const controller = new AbortController()
    const read = handle.read({}, controller.signal)
    controller.abort(new Error('enough'))
    await expect(read[Symbol.asyncIterator]().next()).rejects.toThrow('enough')
    expect(driver.made('read')).toEqual([])
  })

  it('gives every failure a code, and lets a reason to stop through', async () => {
    const handle = await gated.create(header('a'), sampleRecords(1))
    const all = async () => {
      for await (const _ of handle.read({}));
    }
    driver.plan('read', { before: new Error('EIO') })
    await expect(all()).rejects.toMatchObject({ code: 'STORAGE_FAILED', session: 'a', found: 'EIO' })
    driver.plan('list', { before: new Error('EIO') })
    await expect(gated.list({})).rejects.toMatchObject({ code: 'STORAGE_FAILED', found: 'EIO' })
    driver.plan('close', { before: new Error('EIO') })
    await expect(handle.close()).rejects.toMatchObject({ code: 'STORAGE_FAILED', session: 'a' })
    const known = new SessionError('SESSION_CORRUPT', { expected: 'a', found: 'b' })
    driver.plan('open', { before: known })
    await expect(gated.open(handle.header.id, 'read')).rejects.toBe(known)
  })

  it('ends the read of the driver when its reader leaves', async () => {
    const handle = await gated.create(header('a'), sampleRecords(100))
    for await (const _ of handle.read({})) break
    const slots: unknown[] = []
    for await (const batch of handle.read({})) slots.push(batch)
    expect(slots.length).toBeGreaterThan(1)
  })
})
