import { decodeRow } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import { grow, mount, startApp } from './app.js'
import { MemoryStorage } from './memory-driver.js'

let ctx: Context
let storage: MemoryStorage

beforeEach(async () => {
  ctx = await startApp()
  storage = new MemoryStorage()
})

function stored(id: string) {
  return (storage.sessions.get(id as never)?.records ?? []).flatMap(record => decodeRow(record))
}

describe('a mounted backend', () => {
  it('stores what is appended to a session, and finds it again', async () => {
    const { persistence } = await mount(ctx, storage)
    const session = ctx.sessions.create('s', { meta: { cwd: '/work' } })
    grow(session, 3)
    await ctx.sessions.flush(session)
    expect(persistence.durableSeq(session)).toBe(3)
    expect(stored('s')).toEqual(session.events)
    const found = await persistence.load('s')
    expect(found.header).toEqual(session.header)
    expect(found.events).toEqual(session.events)
  })
})
