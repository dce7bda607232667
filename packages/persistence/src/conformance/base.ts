import type { Session, SessionEvent } from '@dsh/session'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Driver } from '../driver.js'
import { SessionPersistence } from '../service.js'
import type { ConformanceTarget, TestStorage } from './setup.js'
import { addInterruptedTurn, addTurn } from './turns.js'

/** An application of its own on a storage, as a process would be. */
interface Process {
  readonly ctx: Context
  readonly persistence: SessionPersistence
  readonly driver: Driver
}

export function baseConformance({ manifest, storage }: ConformanceTarget): void {
  class TestedPersistence extends SessionPersistence {
    constructor(ctx: Context, driver: Driver) {
      super(ctx, { manifest, connect: () => driver }, { writeDelayMs: 1_000_000 })
    }
  }

  async function start({ connect }: TestStorage): Promise<Process> {
    const ctx = new Context()
    await ctx.plugin(SessionStore)
    const driver = await connect()
    await ctx.plugin(TestedPersistence, driver)
    onTestFinished(() => ctx.fiber.dispose())
    return { ctx, driver, persistence: ctx.sessionPersistence }
  }

  describe('under the base', () => {
    it('gives back exactly what was appended, in another process', async () => {
      const place = await storage()
      const first = await start(place)
      const session = first.ctx.sessions.create('s', { meta: { cwd: '/work', delegationDepth: 1 } })
      for (let turn = 1; turn <= 5; turn++) {
        addTurn(session, turn)
        appendAny(session, 'plugin/unknown', { turn, odd: ['\u0000', '\ud800', { __proto__: null, '': 0.1 }] })
        await first.ctx.sessions.flush(session)
      }
      const second = await start(place)
      const found = await second.persistence.load('s')
      expect(found.header).toEqual(session.header)
      expect(found.events).toEqual(session.events)
      expect(await second.persistence.verify('s')).toMatchObject({ isIntact: true, events: session.seq })
      for (const seq of [0, 7, session.seq - 1]) {
        expect((await second.persistence.readFrom('s', seq)).events).toEqual(session.slice(seq))
      }
    })

    it('goes on with a session in another process once the first has gone, and not before', async () => {
      const place = await storage()
      const first = await start(place)
      const session = first.ctx.sessions.create('s')
      addTurn(session, 1)
      await first.ctx.sessions.flush(session)
      const second = await start(place)
      await expect(second.persistence.resume('s')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
      await first.ctx.fiber.dispose()
      const resumed = (await second.persistence.resume('s')).session
      expect(resumed.events).toEqual(session.events)
      addTurn(resumed, 2)
      await second.ctx.sessions.flush(resumed)
      expect((await (await start(place)).persistence.load('s')).events).toEqual(resumed.events)
    })

    it('closes the turn that a process left open, once, and leaves the records alone from then on', async () => {
      const place = await storage()
      const first = await start(place)
      const session = first.ctx.sessions.create('s')
      addInterruptedTurn(session, 1)
      await first.ctx.sessions.flush(session)
      addTurn(session, 2)
      await first.driver.close()

      const inspected = await (await start(place)).persistence.inspect('s')
      let before: readonly SessionEvent[] | undefined
      for (let time = 0; time < 3; time++) {
        const next = await start(place)
        const { session: resumed, closers } = await next.persistence.resume('s')
        expect(closers.length).toBe(time === 0 ? inspected.closers.length : 0)
        expect(resumed.events).toEqual(inspected.events)
        await next.ctx.fiber.dispose()
        const { events } = await (await start(place)).persistence.load('s')
        expect(events).toEqual(before ?? inspected.events)
        before = events
      }
    })

    it('stores a fork with everything it inherits', async () => {
      const place = await storage()
      const first = await start(place)
      const parent = first.ctx.sessions.create('parent')
      addTurn(parent, 1)
      const live = first.ctx.sessions.fork(parent, undefined, 'live')
      addTurn(live, 2)
      await first.ctx.sessions.flush(live)
      await first.persistence.fork('parent', parent.seq - 1, 'stored')
      const second = await start(place)
      expect((await second.persistence.load('live')).events).toEqual(live.events)
      expect((await second.persistence.load('stored')).events).toEqual(parent.events)
      expect((await second.persistence.load('stored')).header).toMatchObject({
        parentSession: 'parent',
        seedLength: parent.seq,
      })
    })

    it('lists titles, turns and open turns', async () => {
      const place = await storage()
      const { ctx, persistence } = await start(place)
      for (const [id, fill] of [
        ['done', addTurn],
        ['open', addInterruptedTurn],
      ] as const) {
        const session = ctx.sessions.create(id)
        addTurn(session, 1, 'the first prompt')
        fill(session, 2)
        await ctx.sessions.flush(session)
      }
      const { entries } = await persistence.list({ details: true })
      const found = Object.fromEntries(entries.map(({ id, title, turns, state }) => [id, { title, turns, state }]))
      expect(found).toEqual({
        done: { title: 'the first prompt', turns: 2, state: 'ok' },
        open: { title: 'the first prompt', turns: 2, state: 'unfinished' },
      })
    })

    it('follows what another process stores', async () => {
      const place = await storage()
      const writer = await start(place)
      const session = writer.ctx.sessions.create('s')
      addTurn(session, 1)
      await writer.ctx.sessions.flush(session)
      const reader = await start(place)
      const seen: SessionEvent[] = []
      for await (const event of reader.persistence.watch('s', 2)) {
        seen.push(event)
        if (event.seq === session.seq - 1) {
          if (session.seq > 30) break
          addTurn(session, 2)
          await writer.ctx.sessions.flush(session)
        }
      }
      expect(seen).toEqual(session.slice(2))
    })
  })
}

function appendAny(session: Session, type: string, data: unknown): void {
  ;(session.append as (type: string, data: unknown) => unknown).call(session, type, data)
}
