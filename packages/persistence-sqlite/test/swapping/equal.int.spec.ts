import { join } from 'node:path'
import { JsonlDriver, jsonlManifest } from '@dsh/persistence-jsonl'
import { SessionError } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { MemoryDriver, MemoryStorage, memoryManifest } from '../../../persistence/test/memory-driver.js'
import { SqliteDriver, sqliteManifest } from '../../src/driver.js'
import { searchableBackend } from '../../src/searchable-backend.js'
import { here } from '../support/here.js'
import { temporaryDirectory, temporaryFile } from '../support/temporary.js'
import { type Append, type Storage, World } from './world.js'

/** A driver in memory that is of no use once it was closed, as those on a disk are. */
class ModelDriver extends MemoryDriver {
  private isClosed = false

  override async create(...[header, records]: Parameters<MemoryDriver['create']>) {
    this.requireOpen()
    return super.create(header, records)
  }

  override async open(...[id, mode]: Parameters<MemoryDriver['open']>) {
    this.requireOpen()
    return super.open(id, mode)
  }

  override async close(): Promise<void> {
    this.isClosed = true
    await super.close()
  }

  private requireOpen(): void {
    if (!this.isClosed) return
    const details = { indeterminate: false }
    throw new SessionError('STORAGE_FAILED', { expected: 'an open driver', found: 'one that was closed', details })
  }
}

function storages(): Record<'memory' | 'jsonl' | 'sqlite', Storage> {
  const memory = new MemoryStorage()
  const root = temporaryDirectory()
  const file = temporaryFile()
  return {
    memory: { manifest: memoryManifest, connect: () => new ModelDriver(memory) },
    jsonl: searchableBackend(
      { manifest: jsonlManifest, connect: () => new JsonlDriver({ root, durability: 'none' }) },
      { file: join(root, '.search.sqlite') },
      here.start,
    ),
    sqlite: { manifest: sqliteManifest, connect: () => new SqliteDriver({ file, durability: 'none' }, here) },
  }
}

const words = ['fox', '漢字', 'walrus', '検索'] as const
const ids = ['a', 'b', '\ud800 c']
const id = fc.constantFrom(...ids)
const cwd = fc.constantFrom('/one', '/two', undefined)

/** One operation on one world, with a name for the failure report. */
type Step = readonly [name: string, run: (world: World) => Promise<unknown>]

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(id, cwd).map(([id, cwd]): Step => [`create ${id}`, world => world.create(id, cwd)]),
  {
    weight: 3,
    arbitrary: fc
      .tuple(id, fc.constantFrom<Append>('turn', 'open turn', 'note', 'stream'), fc.constantFrom(...words))
      .map(([id, kind, word]): Step => [`append ${kind} ${id}`, world => world.append(id, kind, word)]),
  },
  { weight: 2, arbitrary: id.map((id): Step => [`flush ${id}`, world => world.flush(id)]) },
  id.map((id): Step => [`resume ${id}`, world => world.resume(id)]),
  id.map((id): Step => [`release ${id}`, world => world.release(id)]),
  fc
    .tuple(id, id, fc.option(fc.nat(12), { nil: undefined }))
    .map(([id, child, boundary]): Step => [`fork ${id} as ${child}`, world => world.fork(id, child, boundary)]),
  fc
    .tuple(fc.constantFrom('delete', 'trash', 'restore'), id)
    .map(([how, id]): Step => [`${how} ${id}`, world => world.remove(how, id)]),
  id.map((id): Step => [`empty ${id}`, world => world.empty(id)]),
  fc.constant<Step>(['crash', world => world.crash()]),
  fc.constant<Step>(['restart', world => world.restart()]),
)

describe('the backends under the base', () => {
  it('cannot be told apart from each other, nor from a plain model in memory', { timeout: 300_000 }, async () => {
    // Times are what the steps make them, so that all worlds agree.
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async steps => {
          const { memory, jsonl, sqlite } = storages()
          const [model, ...others] = [new World(memory), new World(jsonl), new World(sqlite)]
          for (const world of [model, ...others]) await world.start()
          for (const [name, run] of steps) {
            const expected = await run(model)
            for (const world of others) expect(await run(world), name).toEqual(expected)
            vi.setSystemTime(Date.now() + (name.length % 3) * 500)
          }
          const seen = await model.look(ids)
          for (const world of others) expect(await world.look(ids)).toEqual(seen)
          for (const word of words) {
            for (const directory of [undefined, '/one']) {
              const expected = await model.expectedHits(word, directory)
              for (const world of others) expect(await world.search(word, directory)).toEqual({ value: expected })
            }
          }
          for (const world of [model, ...others]) await world.stop()
        }),
        { numRuns: process.env.DSH_FULL ? 1_000 : 20 },
      )
    } finally {
      vi.useRealTimers()
    }
  })
})
