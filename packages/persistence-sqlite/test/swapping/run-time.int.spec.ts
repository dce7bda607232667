import { userMessage } from '@dsh/llm'
import type { Session } from '@dsh/session'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import type { Mount } from './backends.js'
import { jsonl, sqlite } from './backends.js'

async function startApp(): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  return ctx
}

function say(session: Session, ...texts: string[]): void {
  for (const text of texts) session.append('user/message', userMessage(text), { surfaceOp: 'append' })
}

async function storedBy(mount: Mount, id: string) {
  const ctx = await startApp()
  await mount(ctx)
  const { events, header } = await ctx.sessionPersistence.load(id)
  await ctx.fiber.dispose()
  return { events, header }
}

describe.each([
  ['from JSONL to SQLite and back', jsonl, sqlite],
  ['from SQLite to JSONL and back', sqlite, jsonl],
] as const)('swapping backends at run time, %s', (_, first, second) => {
  it('hands every live session over whole, whatever of it was stored', async () => {
    const [one, other] = [first(), second()]
    const ctx = await startApp()
    const before = await one(ctx)
    const flushed = ctx.sessions.create('flushed', { meta: { cwd: '/work' } })
    const behind = ctx.sessions.create('behind')
    const unstored = ctx.sessions.create('unstored')
    const empty = ctx.sessions.create('empty')
    say(flushed, 'a', 'b')
    say(behind, 'a')
    await Promise.all([flushed, behind].map(session => ctx.sessions.flush(session)))
    say(behind, 'b', 'c')
    say(unstored, 'a')
    await before.dispose()
    say(flushed, 'between')
    expect(ctx.get('sessionPersistence')).toBeUndefined()

    const after = await other(ctx)
    for (const session of [flushed, behind, unstored, empty]) {
      say(session, 'after')
      await ctx.sessions.flush(session)
      expect(after.persistence.durableSeq(session)).toBe(session.seq)
      expect(await storedBy(other, session.id)).toEqual({ events: session.events, header: session.header })
    }
    // The first backend kept what it had when it left, and takes the rest when it comes back.
    expect((await storedBy(one, 'behind')).events).toEqual(behind.slice(0, 3))
    await after.dispose()
    await one(ctx)
    for (const session of [flushed, behind, unstored, empty]) {
      await ctx.sessions.flush(session)
      expect((await storedBy(one, session.id)).events).toEqual(session.events)
    }
    await ctx.fiber.dispose()
  })

  it('takes over sessions that the other one had resumed, with those who refer to them', async () => {
    const [one, other] = [first(), second()]
    const earlier = await startApp()
    await one(earlier)
    const session = earlier.sessions.create('old')
    say(session, 'a')
    await earlier.sessions.flush(session)
    await earlier.fiber.dispose()

    const ctx = await startApp()
    const before = await one(ctx)
    const { session: resumed, release } = await before.persistence.resume('old')
    await before.dispose()
    expect(ctx.sessions.get('old')).toBe(resumed)
    const after = await other(ctx)
    say(resumed, 'b')
    const again = await after.persistence.resume('old')
    expect(again.session).toBe(resumed)
    await release()
    await again.release()
    expect(ctx.sessions.get('old')).toBeUndefined()
    expect((await storedBy(other, 'old')).events).toEqual(resumed.events)
    await ctx.fiber.dispose()
  })

  it('stores events that are appended while the backends change places', async () => {
    const [one, other] = [first(), second()]
    const ctx = await startApp()
    let mounted = await one(ctx)
    const session = ctx.sessions.create('busy')
    let isDone = false
    const appending = (async () => {
      while (!isDone) {
        say(session, `event ${session.seq}`)
        if (session.seq % 7 === 0) await ctx.sessions.flush(session)
        await new Promise(setImmediate)
      }
    })()
    for (const mount of [other, one, other]) {
      await mounted.dispose()
      mounted = await mount(ctx)
    }
    isDone = true
    await appending
    await ctx.sessions.flush(session)
    expect((await storedBy(other, 'busy')).events).toEqual(session.events)
    await ctx.fiber.dispose()
  })
})

describe('a backend that has gone further than the live session', () => {
  it('is not written to, and says so', async () => {
    const [one, other] = [sqlite(), jsonl()]
    const ctx = await startApp()
    let mounted = await one(ctx)
    const session = ctx.sessions.create('s', { meta: {} })
    say(session, 'a')
    await ctx.sessions.flush(session)
    await mounted.dispose()

    // Somebody else goes on with what the first backend has.
    const stranger = await startApp()
    await one(stranger)
    const { session: theirs } = await stranger.sessionPersistence.resume('s')
    say(theirs, 'b', 'c')
    await stranger.sessions.flush(theirs)
    await stranger.fiber.dispose()

    mounted = await other(ctx)
    say(session, 'd')
    await ctx.sessions.flush(session)
    await mounted.dispose()
    await one(ctx)
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({
      code: 'SEQ_CONFLICT',
      details: { storedSeq: 3, liveSeq: 2 },
    })
    expect((await storedBy(one, 's')).events).toEqual(theirs.events)
    await ctx.fiber.dispose()
  })
})
