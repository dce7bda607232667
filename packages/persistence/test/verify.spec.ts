import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import { mount, startApp, storeSession } from './app.js'
import { FaultyDriver, failure } from './faulty-driver.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'
import { addInterruptedTurn, addTurn } from './turns.js'

let ctx: Context
let storage: MemoryStorage

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
})

describe('verify', () => {
  it('finds an intact session intact, and says whether a turn is open', async () => {
    const whole = await storeSession(storage, 'whole', each => addTurn(each, 1))
    const open = await storeSession(storage, 'open', each => addInterruptedTurn(each, 1))
    const { persistence } = await mount(ctx, storage)
    expect(await persistence.verify('whole')).toEqual({
      id: 'whole',
      isIntact: true,
      header: whole.header,
      events: whole.seq,
      hasOpenTurn: false,
    })
    expect(await persistence.verify('open')).toMatchObject({ isIntact: true, events: open.seq, hasOpenTurn: true })
  })

  it.each([
    ['a payload that is no JSON', (bytes: Uint8Array) => bytes.subarray(0, -2)],
    [
      'a payload of other bytes',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at === bytes.length - 4 ? 0xff : byte)),
    ],
  ])('finds %s, which opening the session does not read', async (_, damage) => {
    await storeSession(storage, 's', each => addTurn(each, 1))
    const { records } = storage.sessions.get('s' as never)!
    const at = records.findIndex(record => record.type === 'assistant/message')
    records[at] = { ...records[at]!, body: damage(records[at]!.body) }
    const { persistence } = await mount(ctx, storage)
    await persistence.inspect('s')
    const { isIntact, error } = await persistence.verify('s')
    expect(isIntact).toBe(false)
    expect(error).toMatchObject({ code: 'SESSION_CORRUPT', session: 's', seq: records[at]!.seq })
  })

  it('refuses to resume where the damage lies in what recovery has to read', async () => {
    await storeSession(storage, 's', each => addTurn(each, 1))
    const { records } = storage.sessions.get('s' as never)!
    const at = records.findIndex(record => record.type === 'turn/end')
    records[at] = { ...records[at]!, body: records[at]!.body.subarray(0, -2) }
    const { persistence } = await mount(ctx, storage)
    await expect(persistence.resume('s')).rejects.toMatchObject({ code: 'SESSION_CORRUPT', session: 's', seq: 10 })
    expect(storage.sessions.get('s' as never)!.owner).toBeUndefined()
  })

  it.each([
    ['missing', (length: number) => [...Array(length).keys()].filter(index => index !== 2)],
    ['repeated', (length: number) => [0, 1, 1, ...Array.from({ length: length - 2 }, (_, index) => index + 2)]],
    ['out of order', (length: number) => [1, 0, ...Array.from({ length: length - 2 }, (_, index) => index + 2)]],
  ])('finds a record %s, and every strict reader refuses it', async (_, order) => {
    await storeSession(storage, 's', each => addTurn(each, 1))
    const { records } = storage.sessions.get('s' as never)!
    const whole = [...records]
    records.splice(0, records.length, ...order(whole.length).map(index => whole[index]!))
    const { persistence } = await mount(ctx, storage)
    expect(await persistence.verify('s')).toMatchObject({ isIntact: false, error: { code: 'SESSION_CORRUPT' } })
    await expect(persistence.load('s')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    await expect(persistence.resume('s')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    expect(storage.sessions.get('s' as never)!.owner).toBeUndefined()
  })

  it('finds a log that is shorter than what it inherited', async () => {
    const parent = await storeSession(storage, 'parent', each => addTurn(each, 1))
    const { header, records } = storage.sessions.get(parent.id)!
    storage.sessions.set('child' as never, {
      header: { ...header, id: 'child' as never, parentSession: parent.id, seedLength: parent.seq },
      records: records.slice(0, 3),
    })
    const { persistence } = await mount(ctx, storage)
    expect(await persistence.verify('child')).toMatchObject({ isIntact: false, error: { code: 'SESSION_CORRUPT' } })
  })

  it('passes on what is no finding about the session', async () => {
    await storeSession(storage, 's')
    const driver = new FaultyDriver(new MemoryDriver(storage))
    const { persistence } = await mount(ctx, driver)
    await expect(persistence.verify('nobody')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    driver.plan('read', { before: failure() })
    await expect(persistence.verify('s')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    driver.plan('open', { before: failure('FORMAT_UNSUPPORTED') })
    expect(await persistence.verify('s')).toMatchObject({ isIntact: false, error: { code: 'FORMAT_UNSUPPORTED' } })
  })
})
