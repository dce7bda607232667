import { decodeRow, type Session, type SessionError, type SessionEvent } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fork } from '../src/fork.js'
import { load } from '../src/load.js'
import { resolveOptions } from '../src/options.js'
import { Runtime } from '../src/runtime.js'
import { FaultyDriver, failure, gate } from './faulty-driver.js'
import { ManualClock, quiet } from './manual-clock.js'
import { MemoryDriver, MemoryStorage, memoryManifest, nextSeqOf } from './memory-driver.js'
import { PlainStore } from './plain-store.js'
import { addInterruptedTurn, addTurn } from './turns.js'

/** What must be true of one session, kept by the test in the plainest form. */
interface Expected {
  /** Everything that was ever appended to the present life of the log. */
  log: readonly SessionEvent[]
  /** How much of it a flush has acknowledged. */
  acknowledged: number
}

/** An application that can crash: only the storage survives. */
class World {
  readonly storage = new MemoryStorage()
  readonly expected = new Map<string, Expected>()
  readonly errors: SessionError[] = []
  clock!: ManualClock
  store!: PlainStore
  runtime!: Runtime
  driver!: FaultyDriver
  /** Operations that are held up. */
  #gates: ReturnType<typeof gate<void>>[] = []
  #forks = 0

  constructor() {
    this.boot()
  }

  boot(): void {
    // A lock does not outlive the process that holds it.
    for (const stored of this.storage.sessions.values()) delete stored.owner
    const clock = new ManualClock()
    clock.time = this.clock === undefined ? 0 : this.clock.time + 1
    this.clock = clock
    this.driver = new FaultyDriver(new MemoryDriver(this.storage))
    // What was in flight in the crashed process never happens.
    this.#gates = []
    this.start(new PlainStore())
  }

  start(store: PlainStore): void {
    this.store = store
    this.runtime = new Runtime({
      driver: this.driver,
      manifest: memoryManifest,
      options: resolveOptions(),
      live: store,
      clock: this.clock,
      report: error => void this.errors.push(error),
      log: () => {},
    })
    store.runtime = this.runtime
    this.runtime.adopt()
  }

  create(id: string): void {
    if (this.store.get(id) !== undefined) return
    try {
      this.store.create(id, this.clock.wallTime())
      this.expected.set(id, { log: [], acknowledged: 0 })
    } catch {
      // Only a stored session may forbid it, or one whose events are still on their way.
      expect(this.expected.has(id)).toBe(true)
    }
  }

  live(id: string): Session | undefined {
    return this.store.get(id)
  }

  append(id: string, kind: 'turn' | 'open' | 'note'): void {
    const session = this.live(id)
    if (session === undefined) return
    if (kind === 'note') session.append('todo/write', { todos: [] })
    else if (kind === 'turn') addTurn(session, 1)
    else addInterruptedTurn(session, 1)
    this.expected.get(id)!.log = session.events
  }

  hold(operation: 'create' | 'append'): void {
    const held = gate()
    this.#gates.push(held)
    this.driver.plan(operation, { wait: held.promise })
  }

  letGo(): void {
    for (const held of this.#gates.splice(0)) held.open()
  }

  get isHeld(): boolean {
    return this.#gates.length > 0
  }

  /** Begins a flush; its answer counts whenever it comes, unless the process has crashed by then. */
  flush(id: string): void {
    const session = this.live(id)
    if (session === undefined) return
    const length = session.seq
    const expected = this.expected.get(id)!
    const { clock } = this
    this.runtime.flush(session).then(
      () => {
        if (clock === this.clock) expected.acknowledged = Math.max(expected.acknowledged, length)
      },
      error => {
        if (error.code !== 'STORAGE_FAILED') this.errors.push(error)
      },
    )
  }

  async resume(id: string): Promise<void> {
    if (this.live(id) !== undefined || this.isHeld) return
    const expected = this.expected.get(id)
    const isLeaving = this.runtime.engine.writers.get(id as never) !== undefined
    const resumed = await this.runtime.resumer.resume(id as never).catch((error: SessionError) => error)
    if (resumed instanceof Error) {
      const { code } = resumed as SessionError
      if (code === 'SESSION_NOT_FOUND') expect(expected?.acknowledged ?? 0).toBe(0)
      else expect(code).toBe('STORAGE_FAILED')
      return
    }
    const { session, closers } = resumed
    const own = session.slice(0, session.seq - closers.length)
    expect(own).toEqual(expected!.log.slice(0, own.length))
    expect(own.length).toBeGreaterThanOrEqual(isLeaving ? expected!.log.length : expected!.acknowledged)
    this.expected.set(id, { log: session.events, acknowledged: own.length })
  }

  async fork(id: string): Promise<void> {
    if (this.isHeld) return
    const child = `${id}+${this.#forks++}`
    const header = await fork(this.runtime.engine, id as never, undefined, child).catch((error: SessionError) => error)
    if (header instanceof Error) {
      expect(['SESSION_NOT_FOUND', 'STORAGE_FAILED', 'OPEN_TURN']).toContain((header as SessionError).code)
      return
    }
    const { events } = await load(this.runtime.engine, header.id)
    this.expected.set(child, { log: events, acknowledged: events.length })
    expect(events).toEqual(this.expected.get(id)!.log.slice(0, events.length))
  }

  /** What is stored is a prefix of what was appended, in order and whole, and holds all that was acknowledged. */
  check(): void {
    expect(this.errors.filter(error => error.code !== 'STORAGE_FAILED')).toEqual([])
    expect(this.driver.mostRunning).toBeLessThanOrEqual(2)
    for (const [id, { log, acknowledged }] of this.expected) {
      const records = this.storage.sessions.get(id as never)?.records ?? []
      const length = nextSeqOf(records)
      expect(length).toBeGreaterThanOrEqual(acknowledged)
      expect(length).toBeLessThanOrEqual(log.length)
      expect(records.flatMap(record => decodeRow(record))).toEqual(log.slice(0, length))
    }
  }

  /** After a crash, what was not stored is gone for good. */
  crash(): void {
    this.boot()
    for (const [id, expected] of this.expected) {
      const records = this.storage.sessions.get(id as never)?.records
      if (records === undefined) this.expected.delete(id)
      else this.expected.set(id, { ...expected, log: expected.log.slice(0, nextSeqOf(records)) })
    }
  }

  async reload(): Promise<void> {
    if (this.isHeld) return
    await this.runtime.dispose()
    this.start(this.store)
    await quiet()
  }
}

const ids = fc.constantFrom('a', 'b', 'c')
const indeterminate = () => failure('STORAGE_FAILED', { indeterminate: true })

type Step = (world: World) => void | Promise<void>
const steps: fc.Arbitrary<[string, Step]> = fc.oneof(
  ids.map(id => [`create ${id}`, world => world.create(id)] as [string, Step]),
  fc
    .tuple(ids, fc.constantFrom('turn', 'open', 'note'))
    .map(([id, kind]) => [`append ${kind} ${id}`, world => world.append(id, kind as 'turn')] as [string, Step]),
  ids.map(id => [`flush ${id}`, world => world.flush(id)] as [string, Step]),
  fc.constantFrom(1, 250, 3_000, 40_000).map(ms => [`wait ${ms}`, world => world.clock.advance(ms)] as [string, Step]),
  fc
    .constantFrom('create', 'append', 'open', 'read')
    .map(
      operation =>
        [`refuse ${operation}`, world => void world.driver.plan(operation as 'create', { before: failure() })] as [
          string,
          Step,
        ],
    ),
  fc
    .tuple(fc.constantFrom('create', 'append'), fc.boolean())
    .map(
      ([operation, isStored]) =>
        [
          `lose the answer of ${operation}, ${isStored ? 'stored' : 'not stored'}`,
          world =>
            void world.driver.plan(
              operation as 'create',
              isStored ? { after: indeterminate() } : { before: indeterminate() },
            ),
        ] as [string, Step],
    ),
  ids.map(
    id =>
      [
        `drop ${id}`,
        async world => {
          const session = world.live(id)
          if (session !== undefined) world.store.drop(session)
        },
      ] as [string, Step],
  ),
  ids.map(id => [`resume ${id}`, world => world.resume(id)] as [string, Step]),
  ids.map(id => [`fork ${id}`, world => world.fork(id)] as [string, Step]),
  fc
    .constantFrom('create', 'append')
    .map(operation => [`hold ${operation}`, world => world.hold(operation as 'create')] as [string, Step]),
  fc.constant(['let go', world => world.letGo()] as [string, Step]),
  fc.constant(['crash', world => world.crash()] as [string, Step]),
  fc.constant(['reload', world => world.reload()] as [string, Step]),
)

describe('a backend under random use and failure', () => {
  it('loses no acknowledged event, keeps their order, and ends up with everything stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 60, size: 'max' }), async sequence => {
        const world = new World()
        for (const [, step] of sequence) {
          await step(world)
          await quiet()
          world.check()
        }
        world.letGo()
        await quiet()
        world.driver.heal()
        for (const session of world.store.list()) {
          await world.runtime.flush(session)
          expect(world.runtime.engine.writers.of(session)!.durableSeq).toBe(session.seq)
        }
        world.check()
        await world.runtime.close()
        world.check()
        for (const { owner } of world.storage.sessions.values()) expect(owner).toBeUndefined()
      }),
      { numRuns: process.env.DSH_FULL ? 3_000 : 200 },
    )
  })
})

describe('a runtime', () => {
  it('leaves no timer behind when it is gone', async () => {
    const world = new World()
    world.create('a')
    world.append('a', 'turn')
    world.runtime.hurry()
    await world.runtime.dispose()
    await world.runtime.dispose()
    world.check()
    expect(world.clock.pending).toEqual([])
    expect(world.runtime.isClosed).toBe(true)
  })
})
