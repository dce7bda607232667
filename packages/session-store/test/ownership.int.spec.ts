import { Session } from '@dsh/session'
import { Context, Service } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import SessionStore from '../src/index.js'
import { logged, plug, settled, startApp } from './support/app.js'
import { expectError } from './support/expect-error.js'

let ctx: Context
let journal: string[]

beforeEach(async () => {
  ctx = await startApp()
  journal = []
  ctx.on('session/created', session => void journal.push(`created ${session.id}`))
  ctx.on(
    'session/flush',
    session => void journal.push(`flush ${session.id}, live ${!!ctx.get('sessions')?.get(session.id)}`),
  )
  ctx.on(
    'session/disposed',
    session => void journal.push(`disposed ${session.id}, live ${!!ctx.get('sessions')?.get(session.id)}`),
  )
})

const todo = (session: Session) => session.append('todo/write', { todos: [] })

describe('a session', () => {
  it('goes with the plugin that created it: flushed, removed, told', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    const session = own.sessions.create('a')
    ctx.sessions.create('b')
    await fiber.dispose()
    expect(journal).toEqual(['created a', 'created b', 'flush a, live true', 'disposed a, live false'])
    expect(ctx.sessions.list().map(left => left.id)).toEqual(['b'])
    expectError('SESSION_NOT_LIVE', () => todo(session))
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject({ code: 'SESSION_NOT_LIVE' })
    expectError('SESSION_NOT_LIVE', () => ctx.sessions.fork(session))
  })

  it('belongs to whoever called, though the source of a fork belongs to another', async () => {
    const [parent, child] = [await plug(ctx), await plug(ctx)]
    const source = parent.ctx.sessions.create('a')
    child.ctx.sessions.fork(source, undefined, 'b')
    await parent.fiber.dispose()
    expect(ctx.sessions.list().map(session => session.id)).toEqual(['b'])
    await child.fiber.dispose()
    expect(ctx.sessions.list()).toEqual([])
  })

  it('belongs to the caller of a service that creates it', async () => {
    class Agents extends Service {
      static inject = ['sessions']
      constructor(own: Context) {
        super(own, 'agents')
      }
      start(id: string): Session {
        return this.ctx.sessions.create(id)
      }
    }
    const provider = await ctx.plugin(Agents)
    const { ctx: caller, fiber } = await plug(ctx)
    const agents: Agents = caller.get('agents')
    agents.start('a')
    await fiber.dispose()
    expect(ctx.sessions.get('a')).toBeUndefined()
    await provider.dispose()
  })

  it('holds up the disposal of its plugin until the flush has settled', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    const session = own.sessions.create('a')
    let release: () => void = () => undefined
    ctx.on('session/flush', () => new Promise<void>(resolve => (release = resolve)))
    const disposed = fiber.dispose()
    await settled()
    todo(session)
    expect(ctx.sessions.get('a')).toBe(session)
    release()
    await disposed
    expect(ctx.sessions.get('a')).toBeUndefined()
  })

  it('leaves although its last flush fails, which is logged', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    own.sessions.create('a')
    ctx.on('session/flush', () => Promise.reject(new Error('disk full')))
    await fiber.dispose()
    expect(journal.at(-1)).toBe('disposed a, live false')
    expect(logged(ctx)).toEqual([
      'session-store: disk full',
      'session-store: the dispatch of session/flush failed (session "a")',
    ])
  })

  it('can be created again under its id when its plugin restarts', async () => {
    const fiber = await ctx.plugin({
      name: 'agent',
      inject: ['sessions'],
      apply(own: Context) {
        own.sessions.create('a')
      },
    })
    const first = ctx.sessions.get('a')
    await fiber.restart()
    expect(ctx.sessions.get('a')).toBeInstanceOf(Session)
    expect(ctx.sessions.get('a')).not.toBe(first)
    expect(journal.filter(line => line.startsWith('disposed'))).toHaveLength(1)
  })

  it('is not created for a plugin that is gone', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    const { sessions } = own
    await fiber.dispose()
    expect(() => sessions.create('a')).toThrow('inactive context')
    expect(ctx.sessions.get('a')).toBeUndefined()
    expect(journal).toEqual([])
  })

  it('leaves no trace in its plugin once it has left', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    const veto = ctx.on('session/created', () => {
      throw new Error('no')
    })
    for (let round = 0; round < 10; round++) expect(() => own.sessions.create()).toThrow('no')
    veto()
    expect(fiber.getEffects()).toEqual([])
  })
})

describe('a dispatch', () => {
  it('finishes before a disposal that one of its listeners asked for', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    const session = own.sessions.create('a')
    journal.length = 0
    let disposed: Promise<void> | undefined
    ctx.on('session/event', () => {
      disposed ??= fiber.dispose()
    })
    ctx.on('session/event', given => void journal.push(`event, live ${ctx.sessions.get('a') === given}`))
    todo(session)
    await disposed
    expect(journal).toEqual(['event, live true', 'flush a, live true', 'disposed a, live false'])
  })

  it('finishes before a detach that one of its listeners asked for', () => {
    const session = ctx.sessions.prepare('a')
    const detach = ctx.sessions.enter(session)
    ctx.on('session/event', () => detach())
    ctx.on('session/event', () => void journal.push(`event, live ${ctx.sessions.get('a') === session}`))
    ctx.sessions.announce(session)
    expect(todo(session).seq).toBe(0)
    expect(journal).toEqual(['created a', 'event, live true', 'disposed a, live false'])
    expectError('SESSION_NOT_LIVE', () => todo(session))
  })
})

describe('an owner that orders its teardown itself', () => {
  it('keeps its session until it detaches, whatever happens to its plugin', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    const session = own.sessions.prepare('a')
    const detach = own.sessions.enter(session)
    own.sessions.announce(session)
    await fiber.dispose()
    todo(session)
    expect(ctx.sessions.get('a')).toBe(session)
    detach()
    expect(journal).toEqual(['created a', 'disposed a, live false'])
  })

  it('can restore a stored log, attach itself, announce, and store everything until it lets go', async () => {
    const stored = new Session('a')
    todo(stored)
    const rows: number[] = []
    const { ctx: own, fiber } = await plug(ctx, 'storage')
    const session = new Session('a', stored.events, stored.header)
    const detach = own.sessions.enter(session)
    own.on('session/event', (given, event) => {
      if (given === session) rows.push(event.seq)
    })
    own.effect(() => async () => {
      await ctx.sessions.flush(session)
      detach()
      journal.push(`stored ${rows}`)
    })
    own.sessions.announce(session)
    todo(session)
    await fiber.dispose()
    expect(journal).toEqual(['created a', 'flush a, live true', 'disposed a, live false', 'stored 1'])
  })

  it('has nothing to undo after a veto', () => {
    const session = ctx.sessions.prepare('a')
    const detach = ctx.sessions.enter(session)
    ctx.on('session/created', () => {
      throw new Error('no')
    })
    expect(() => ctx.sessions.announce(session)).toThrow('no')
    detach()
    expect(journal).toEqual(['created a', 'disposed a, live false'])
    expectError('SESSION_NOT_LIVE', () => ctx.sessions.announce(session))
  })
})

describe('the store', () => {
  it('takes every session with it, flushed while those who store them still listen', async () => {
    const app = new Context()
    const fiber = await app.plugin(SessionStore)
    const stored: string[] = []
    await app.plugin({
      name: 'storage',
      inject: ['sessions'],
      apply(own: Context) {
        own.on('session/flush', async session => void stored.push(session.id))
      },
    })
    const { ctx: own } = await plug(app)
    own.sessions.create('owned')
    const entered = app.sessions.prepare('entered')
    const detach = app.sessions.enter(entered)
    app.sessions.announce(entered)
    const disposed: string[] = []
    app.on('session/disposed', session => void disposed.push(session.id))
    const { sessions } = app
    await fiber.dispose()
    detach()
    expect(stored).toEqual(['owned', 'entered'])
    expect(disposed).toEqual(['owned', 'entered'])
    expect(app.get('sessions')).toBeUndefined()
    expectError('SESSION_NOT_LIVE', () => todo(entered))
    expectError('SESSION_NOT_LIVE', () => sessions.create('late'))
  })

  it('is empty when it comes back', async () => {
    const app = new Context()
    const fiber = await app.plugin(SessionStore)
    const { ctx: own } = await plug(app)
    own.sessions.create('a')
    await fiber.restart()
    expect(app.sessions.list()).toEqual([])
    app.sessions.create('a')
  })
})
