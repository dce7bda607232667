import type { Session } from '@dsh/session'
import { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import SessionStore, { type SessionScope } from '../src/index.js'
import { startApp } from './support/app.js'
import { expectError } from './support/expect-error.js'

const todo = (session: Session) => session.append('todo/write', { todos: [] })

/** Records everything that `ctx` hears. */
function eavesdrop(ctx: Context, options?: { global: boolean }): string[] {
  const heard: string[] = []
  ctx.on('session/created', session => void heard.push(`created ${session.id}`), options)
  ctx.on('session/event', (session, event) => void heard.push(`event ${session.id} ${event.seq}`), options)
  ctx.on('session/flush', session => void heard.push(`flush ${session.id}`), options)
  ctx.on('session/disposed', session => void heard.push(`disposed ${session.id}`), options)
  return heard
}

/** Lets a session with one event live and leave. */
async function live(ctx: Context, id: string): Promise<void> {
  const session = ctx.sessions.prepare(id)
  const detach = ctx.sessions.enter(session)
  ctx.sessions.announce(session)
  todo(session)
  await ctx.sessions.flush(session)
  detach()
}

const lifeOf = (id: string) => [`created ${id}`, `event ${id} 0`, `flush ${id}`, `disposed ${id}`]

describe('two isolated stores', () => {
  let a: Context
  let b: Context

  beforeEach(async () => {
    const ctx = new Context()
    a = ctx.isolate('sessions')
    b = ctx.isolate('sessions')
    await a.plugin(SessionStore)
    await b.plugin(SessionStore)
  })

  it('hold sessions of the same id apart', () => {
    const [one, other] = [a.sessions.create('same'), b.sessions.create('same')]
    expect(a.sessions.get('same')).toBe(one)
    expect(b.sessions.get('same')).toBe(other)
    expect(a.sessions.list()).toEqual([one])
    expectError('SESSION_NOT_LIVE', () => b.sessions.fork(one))
    expectError('SESSION_ALREADY_EXISTS', () => b.sessions.enter(one))
  })

  it('are heard by their own listeners only, and by global ones', async () => {
    const [inA, inB, everywhere] = [eavesdrop(a), eavesdrop(b), eavesdrop(a, { global: true })]
    await live(a, 'x')
    await live(b, 'y')
    expect(inA).toEqual(lifeOf('x'))
    expect(inB).toEqual(lifeOf('y'))
    expect(everywhere).toEqual([...lifeOf('x'), ...lifeOf('y')])
  })

  it('are told apart by a validator of dispatches through the scope that it is given', () => {
    a.on('internal/dispatch', (_mode, name, _args, scope: SessionScope) => {
      if (name === 'session/event' && scope[Context.filter](a)) throw new Error('not in a')
    })
    const [one, other] = [a.sessions.create(), b.sessions.create()]
    todo(other)
    expect(() => todo(one)).toThrow('not in a')
    expect(one.seq).toBe(0)
  })

  it('share nothing when one of them goes', async () => {
    const ctx = new Context()
    const fiber = await ctx.isolate('sessions').plugin(SessionStore)
    const kept = ctx.isolate('sessions')
    await kept.plugin(SessionStore)
    const session = kept.sessions.create()
    await fiber.dispose()
    todo(session)
    expect(kept.sessions.list()).toEqual([session])
  })
})

describe('a session created through a context with a filter', () => {
  it('is heard by the contexts that the filter accepts, and by global listeners', async () => {
    const ctx = await startApp()
    const [friend, stranger] = [ctx.extend(), ctx.extend()]
    const heard = {
      friend: eavesdrop(friend),
      stranger: eavesdrop(stranger),
      global: eavesdrop(stranger, { global: true }),
    }
    const owner = ctx.extend({ [Context.filter]: (listener: Context) => listener === friend })
    await live(owner, 'x')
    expect(heard).toEqual({ friend: lifeOf('x'), stranger: [], global: lifeOf('x') })
    owner.sessions.create('y')
    expect(heard.friend.at(-1)).toBe('created y')
    expect(heard.stranger).toEqual([])
  })
})
