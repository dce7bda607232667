import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import { defineManifest } from '../src/driver.js'
import { mount, startApp, storeSession } from './app.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'
import { addTurn } from './turns.js'

let ctx: Context
let storage: MemoryStorage

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
})

describe('delete', () => {
  it('removes a stored session and leaves its forks whole', async () => {
    const parent = await storeSession(storage, 'parent', each => addTurn(each, 1))
    const { persistence } = await mount(ctx, storage)
    await persistence.fork('parent', undefined, 'child')
    await persistence.delete('parent')
    await expect(persistence.load('parent')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(persistence.delete('parent')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect((await persistence.load('child')).events).toEqual(parent.events)
  })

  it('refuses a session that is live here or locked elsewhere', async () => {
    await storeSession(storage, 'resumed')
    await storeSession(storage, 'locked')
    const { persistence } = await mount(ctx, storage)
    const { release } = await persistence.resume('resumed')
    const holder = await new MemoryDriver(storage).open('locked' as never, 'write')
    ctx.sessions.create('unstored')
    for (const id of ['resumed', 'locked', 'unstored']) {
      await expect(persistence.delete(id)).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
      await expect(persistence.trash(id)).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    }
    await Promise.all([release(), holder.close()])
    await persistence.delete('resumed')
    await persistence.delete('locked')
    expect(storage.sessions.size).toBe(0)
  })
})

describe('trash', () => {
  it('hides a session until it is restored', async () => {
    const session = await storeSession(storage, 's', each => addTurn(each, 1))
    const { persistence } = await mount(ctx, storage)
    await persistence.trash('s')
    expect((await persistence.list()).entries).toEqual([])
    expect((await persistence.list({ trashed: true, details: true })).entries.map(entry => entry.id)).toEqual(['s'])
    await expect(persistence.resume('s')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await persistence.restore('s')
    expect((await persistence.resume('s')).session.events).toEqual(session.events)
  })

  it('does not restore onto a live session', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, storage)
    await persistence.trash('s')
    ctx.sessions.create('s')
    await expect(persistence.restore('s')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
  })

  it('is emptied of an id for good, and of the stored session of that id never', async () => {
    const { persistence } = await mount(ctx, storage)
    for (const turns of [1, 2]) {
      await storeSession(storage, 's', each => addTurn(each, turns))
      await persistence.trash('s')
    }
    const session = await storeSession(storage, 's', each => addTurn(each, 3))
    await persistence.delete('s', { trashed: true })
    expect((await persistence.list({ trashed: true })).entries).toEqual([])
    expect((await persistence.load('s')).events).toEqual(session.events)
    await expect(persistence.delete('s', { trashed: true })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  it('keeps what it has of an id as long as a session of that id is live', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, storage)
    await persistence.trash('s')
    ctx.sessions.create('s')
    await expect(persistence.delete('s', { trashed: true })).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    expect((await persistence.list({ trashed: true })).entries).toHaveLength(1)
  })

  it('is refused where the driver has none', async () => {
    await storeSession(storage, 's')
    const { persistence } = await mount(ctx, { driver: new MemoryDriver(storage), manifest: defineManifest('plain') })
    await expect(persistence.trash('s')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      details: { capability: 'trash' },
    })
    await expect(persistence.restore('s')).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(persistence.list({ trashed: true })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(persistence.delete('s', { trashed: true })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    expect(storage.sessions.size).toBe(1)
  })
})
