import { createHook } from 'node:async_hooks'
import type { Session } from '@dsh/session'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import { logged, plug, settled, startApp } from './support/app.js'
import { expectError } from './support/expect-error.js'

let ctx: Context

beforeEach(async () => {
  ctx = await startApp()
})

const todo = (session: Session) => session.append('todo/write', { todos: [] })

describe('listeners of session/event', () => {
  it('all hear an event and the append succeeds, though some throw, reject or unsubscribe meanwhile', async () => {
    const heard: string[] = []
    const { ctx: broken } = await plug(ctx, 'broken')
    broken.on('session/event', () => {
      throw new Error('sync')
    })
    const offSelf = ctx.on('session/event', () => {
      heard.push('leaves')
      offSelf()
      offNext()
    })
    const offNext = ctx.on('session/event', () => void heard.push('was removed'))
    broken.on('session/event', async () => {
      await settled()
      throw new Error('async')
    })
    ctx.on('session/event', (_, event) => void heard.push(`last ${event.seq}`))
    const session = ctx.sessions.create('a')

    expect(todo(session).seq).toBe(0)
    expect(heard).toEqual(['leaves', 'was removed', 'last 0'])
    todo(session)
    expect(heard.slice(3)).toEqual(['last 1'])
    expect(session.seq).toBe(2)

    await settled()
    await settled()
    const failed = (cause: string, seq: number) => [
      `broken: ${cause}`,
      `broken: a listener failed on session/event (session "a", seq ${seq})`,
    ]
    expect(logged(ctx)).toEqual([
      ...failed('sync', 0),
      ...failed('sync', 1),
      ...failed('async', 0),
      ...failed('async', 1),
    ])
  })

  it('do not stop a listener whose plugin another one disposes from hearing the event at hand', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    let disposed: Promise<void> | undefined
    ctx.on('session/event', () => {
      disposed ??= fiber.dispose()
    })
    const heard: number[] = []
    own.on('session/event', (_, event) => void heard.push(event.seq))
    const session = ctx.sessions.create()
    todo(session)
    await disposed
    todo(session)
    expect(heard).toEqual([0])
  })

  it('see ascending sequence numbers, whoever tries to append from within', () => {
    const seqs: number[] = []
    ctx.on('session/event', session => {
      expectError('REENTRANT_APPEND', () => todo(session))
    })
    ctx.on('session/event', (_, event) => void seqs.push(event.seq))
    const session = ctx.sessions.create()
    for (let round = 0; round < 3; round++) todo(session)
    expect(seqs).toEqual([0, 1, 2])
    expect(session.seq).toBe(3)
    expect(logged(ctx)).toEqual([])
  })

  it('may append to another session', () => {
    const log = ctx.sessions.create('log')
    ctx.on('session/event', session => {
      if (session !== log) todo(log)
    })
    todo(ctx.sessions.create())
    expect(log.seq).toBe(1)
  })

  it('join from the next event on when registered during one', () => {
    const heard: number[] = []
    const off = ctx.on('session/event', () => {
      off()
      ctx.on('session/event', (_, event) => void heard.push(event.seq))
    })
    const session = ctx.sessions.create()
    todo(session)
    todo(session)
    expect(heard).toEqual([1])
  })

  it('cost no promise unless they return one', () => {
    let heard = 0
    const last = new Map<Session, number>()
    ctx.on('session/event', () => {
      heard++
    })
    ctx.on('session/event', (session, event) => last.set(session, event.seq))
    const session = ctx.sessions.create()
    let promises = 0
    const hook = createHook({
      init(_id, type) {
        if (type === 'PROMISE') promises++
      },
    }).enable()
    for (let round = 0; round < 100_000; round++) todo(session)
    hook.disable()
    expect(heard).toBe(100_000)
    expect(promises).toBe(0)
  })
})

describe('internal/dispatch', () => {
  it('vetoes before the commit, whether or not anybody listens', () => {
    let veto = false
    ctx.on('internal/dispatch', (_mode, name) => {
      if (veto && name === 'session/event') throw new Error('veto')
    })
    const session = ctx.sessions.create()
    for (const listening of [false, true]) {
      const heard: number[] = []
      if (listening) ctx.on('session/event', (_, event) => void heard.push(event.seq))
      const { seq } = session
      veto = true
      expect(() => todo(session)).toThrow('veto')
      expect(session.seq).toBe(seq)
      veto = false
      todo(session)
      expect(session.seq).toBe(seq + 1)
      expect(heard).toEqual(listening ? [seq] : [])
    }
  })

  it('vetoes a creation before anybody has heard of it', () => {
    const heard: string[] = []
    ctx.on('session/created', session => void heard.push(session.id))
    ctx.on('session/disposed', session => void heard.push(session.id))
    ctx.on('internal/dispatch', (_mode, name) => {
      if (name === 'session/created') throw new Error('veto')
    })
    expect(() => ctx.sessions.create('a')).toThrow('veto')
    expect(heard).toEqual([])
    expect(ctx.sessions.get('a')).toBeUndefined()
  })
})

describe('listeners of session/created', () => {
  it('may append, and everybody hears of the session before its events', () => {
    const heard: string[] = []
    ctx.on('session/created', session => void todo(session))
    ctx.on('session/created', session => void heard.push(`created, ${session.seq} events`))
    ctx.on('session/event', (_, event) => void heard.push(`event ${event.seq}`))
    const session = ctx.sessions.create()
    expect(heard).toEqual(['created, 1 events', 'event 0'])
    expect(session.firstLiveSeq).toBe(0)
  })

  it('that reject later veto nothing', async () => {
    ctx.on('session/created', () => Promise.reject(new Error('late')) as never)
    const session = ctx.sessions.create('a')
    await settled()
    expect(ctx.sessions.get('a')).toBe(session)
    expect(logged(ctx)).toEqual(['root: late', 'root: a listener failed on session/created (session "a")'])
  })
})

describe('listeners of session/disposed', () => {
  it('all hear of it, whatever others throw or reject with', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    own.sessions.create('a')
    const heard: string[] = []
    ctx.on('session/disposed', () => {
      throw new Error('sync')
    })
    ctx.on('session/disposed', () => Promise.reject(new Error('async')) as never)
    ctx.on('session/disposed', session => void heard.push(session.id))
    await fiber.dispose()
    await settled()
    expect(heard).toEqual(['a'])
    expect(logged(ctx).filter(line => line.startsWith('root: a listener'))).toHaveLength(2)
  })

  it('may take the id over at once', async () => {
    const { ctx: own, fiber } = await plug(ctx)
    own.sessions.create('a')
    ctx.on('session/disposed', session => void ctx.sessions.create(session.id))
    await fiber.dispose()
    expect(ctx.sessions.list().map(session => session.id)).toEqual(['a'])
  })
})
