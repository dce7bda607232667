import { decodeRow } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import { grow, mount, startApp, storeSession } from './app.js'
import { MemoryStorage } from './memory-driver.js'
import { RichDriver, RichStorage, richManifest } from './rich-driver.js'
import { addInterruptedTurn, addTurn } from './turns.js'

let ctx: Context

beforeEach(async () => {
  ctx = await startApp()
})

describe.each([
  ['by copying', () => new MemoryStorage(), (storage: MemoryStorage) => storage],
  [
    'by reference',
    () => new RichStorage(),
    (storage: RichStorage) => ({ driver: new RichDriver(storage), manifest: richManifest }),
  ],
] as [string, () => MemoryStorage, (storage: MemoryStorage) => MemoryStorage][])(
  'fork %s',
  (_, makeStorage, backend) => {
    it('stores a child with everything it inherits, live nowhere', async () => {
      const storage = makeStorage()
      const parent = await storeSession(
        storage,
        'parent',
        each => {
          addTurn(each, 1)
          addTurn(each, 2)
        },
        { cwd: '/work', delegationDepth: 3 },
      )
      const { persistence } = await mount(ctx, backend(storage))
      const boundary = parent.seq / 2 - 1
      const header = await persistence.fork('parent', boundary, 'child')
      expect(header).toMatchObject({
        id: 'child',
        parentSession: 'parent',
        seedLength: boundary + 1,
        cwd: '/work',
        delegationDepth: 3,
      })
      expect(ctx.sessions.list()).toEqual([])
      const child = await persistence.load('child')
      expect(child.header).toEqual(header)
      expect(child.events).toEqual(parent.slice(0, boundary + 1))

      const { session } = await persistence.resume('child')
      grow(session)
      await ctx.sessions.flush(session)
      expect((await persistence.load('child')).events).toEqual(session.events)
      expect((await persistence.load('parent')).events).toEqual(parent.events)
      await persistence.delete('parent')
      expect((await persistence.load('child')).events).toEqual(session.events)
    })

    it('takes the whole log and a random id by default', async () => {
      const storage = makeStorage()
      const parent = await storeSession(storage, 'parent', each => addTurn(each, 1))
      const { persistence } = await mount(ctx, backend(storage))
      const [one, two] = [await persistence.fork('parent'), await persistence.fork('parent')]
      expect(one.id).not.toBe(two.id)
      expect((await persistence.load(one.id)).events).toEqual(parent.events)
      await persistence.fork(one.id, undefined, 'grandchild')
      expect((await persistence.list({ parent: one.id })).entries.map(entry => entry.id)).toEqual(['grandchild'])
    })

    it('forks an empty session into an empty one', async () => {
      const storage = makeStorage()
      await storeSession(storage, 'parent')
      const { persistence } = await mount(ctx, backend(storage))
      const header = await persistence.fork('parent', undefined, 'child')
      expect(header.seedLength).toBe(0)
      expect((await persistence.load('child')).events).toEqual([])
    })

    it('refuses an open turn, a boundary outside, an id that is taken, a parent that is not there', async () => {
      const storage = makeStorage()
      const parent = await storeSession(storage, 'parent', each => {
        addTurn(each, 1)
        addInterruptedTurn(each, 2)
      })
      const { persistence } = await mount(ctx, backend(storage))
      ctx.sessions.create('live')
      await expect(persistence.fork('parent', undefined, 'child')).rejects.toMatchObject({ code: 'OPEN_TURN' })
      await expect(persistence.fork('parent', parent.seq, 'child')).rejects.toMatchObject({ code: 'INVALID_BOUNDARY' })
      await expect(persistence.fork('parent', 0, 'child')).rejects.toMatchObject({ code: 'OPEN_TURN' })
      await expect(persistence.fork('parent', 10, 'parent')).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
      await expect(persistence.fork('parent', 10, 'live')).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
      await expect(persistence.fork('nobody', 10, 'child')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
      expect(storage.sessions.has('child' as never)).toBe(false)
    })

    it('includes what a live parent has yet to store', async () => {
      const storage = makeStorage()
      const { persistence } = await mount(ctx, backend(storage))
      const parent = ctx.sessions.create('parent')
      addTurn(parent, 1)
      await persistence.fork('parent', undefined, 'child')
      const records = storage.sessions.get('child' as never)!.records
      expect(records.flatMap(record => decodeRow(record))).toEqual(parent.events)
    })
  },
)
