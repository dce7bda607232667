import { Session, type SessionEvent } from '@dsh/session'
import { Context } from 'cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import DefaultExport, { SessionStore } from '../src/index.js'
import { startApp } from './support/app.js'
import { expectError } from './support/expect-error.js'

let ctx: Context

beforeEach(async () => {
  ctx = await startApp()
})

const todo = (session: Session) => session.append('todo/write', { todos: [] })

function openTurn(session: Session, turn: number): SessionEvent {
  return session.append('turn/start', { turn, trigger: { kind: 'retry' } })
}

function closeTurn(session: Session, turn: number): SessionEvent {
  return session.append('turn/end', { turn, reason: { kind: 'completed' } })
}

describe('the service', () => {
  it('is the default export, and an instance of its class through the context', () => {
    expect(DefaultExport).toBe(SessionStore)
    expect(ctx.sessions).toBeInstanceOf(SessionStore)
  })

  it('has no options', async () => {
    await expect(new Context().plugin(SessionStore, { root: '/x' } as never)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      plugin: '@dsh/session-store',
      path: 'root',
    })
  })

  it('asks for injection like every service', async () => {
    await expect(
      ctx.plugin({
        name: 'forgetful',
        apply(own: Context) {
          own.isolate('sessions').sessions.list()
        },
      }),
    ).rejects.toThrow('without inject')
  })
})

describe('create', () => {
  it('makes an empty live session with an id and a header of its own', () => {
    const before = Date.now()
    const session = ctx.sessions.create()
    const { header } = session
    expect(header).toEqual({ version: 1, id: session.id, createdAt: header.createdAt })
    expect(header.createdAt).toBeGreaterThanOrEqual(before)
    expect(session.seq).toBe(0)
    expect(ctx.sessions.get(session.id)).toBe(session)
    expect(ctx.sessions.create().id).not.toBe(session.id)
  })

  it('takes a header apart from id and version, and drops what is undefined', () => {
    const meta = { cwd: '/work', delegationDepth: 2, createdAt: 5, parentSession: undefined }
    expect(ctx.sessions.create('a', { meta }).header).toEqual({
      version: 1,
      id: 'a',
      createdAt: 5,
      cwd: '/work',
      delegationDepth: 2,
    })
    const forged = { id: 'forged', version: 9 } as object
    expect(ctx.sessions.create('b', { meta: forged }).header).toMatchObject({ id: 'b', version: 1 })
  })

  it('replays a seed without publishing it', () => {
    const heard: number[] = []
    ctx.on('session/event', (_, event) => void heard.push(event.seq))
    const source = new Session('source')
    todo(source)
    todo(source)
    const session = ctx.sessions.create('a', { seed: source.events })
    expect(session.events).toEqual(source.events)
    expect(session.firstLiveSeq).toBe(2)
    expect(heard).toEqual([])
    todo(session)
    expect(heard).toEqual([2])
  })

  it('leaves nothing behind when the id, the header or the seed is bad', () => {
    const told: string[] = []
    ctx.on('session/created', session => void told.push(session.id))
    ctx.sessions.create('taken')
    const effects = ctx.fiber.getEffects().length
    expectError('SESSION_ALREADY_EXISTS', () => ctx.sessions.create('taken'))
    expectError('INVALID_EVENT', () => ctx.sessions.create(''))
    expectError('INVALID_EVENT', () => ctx.sessions.create('a', { meta: { cwd: 'relative' } }))
    expectError('INVALID_EVENT', () => ctx.sessions.create('a', { meta: { seedLength: 1 } }))
    const meta = {
      get cwd(): string {
        throw new Error('no')
      },
    }
    expectError('NOT_JSON', () => ctx.sessions.create('a', { meta }))
    const seed = [{ type: 'todo/write', seq: 1, time: 0, data: { todos: [] } }] as unknown as SessionEvent[]
    expectError('INVALID_EVENT', () => ctx.sessions.create('a', { seed }))
    expect(ctx.sessions.get('a')).toBeUndefined()
    expect(told).toEqual(['taken'])
    expect(ctx.fiber.getEffects()).toHaveLength(effects)
  })

  it('gives the id back after a veto, with the disposal told', () => {
    const told: string[] = []
    const off = ctx.on('session/created', () => {
      throw new Error('not here')
    })
    ctx.on('session/disposed', session => void told.push(`disposed ${session.id}`))
    const effects = ctx.fiber.getEffects().length
    expect(() => ctx.sessions.create('a')).toThrow('not here')
    expect(told).toEqual(['disposed a'])
    expect(ctx.sessions.list()).toEqual([])
    expect(ctx.fiber.getEffects()).toHaveLength(effects)
    off()
    ctx.sessions.create('a')
  })
})

describe('fork', () => {
  it('takes an object or an id, and everything up to the last event', () => {
    const parent = ctx.sessions.create('parent', { meta: { cwd: '/work', delegationDepth: 1 } })
    openTurn(parent, 1)
    closeTurn(parent, 1)
    todo(parent)
    for (const child of [ctx.sessions.fork(parent, undefined, 'a'), ctx.sessions.fork('parent', undefined, 'b')]) {
      expect(child.events).toEqual(parent.events)
      expect(child.header).toEqual({
        version: 1,
        id: child.id,
        createdAt: child.header.createdAt,
        cwd: '/work',
        delegationDepth: 1,
        parentSession: 'parent',
        seedLength: 3,
      })
      expect(ctx.sessions.get(child.id)).toBe(child)
    }
    expect(ctx.sessions.fork(parent).id).not.toBe(parent.id)
  })

  it('shares the events, publishes none of them and goes on alone', () => {
    const heard: string[] = []
    ctx.on('session/event', (session, event) => void heard.push(`${session.id} ${event.seq}`))
    const parent = ctx.sessions.create('parent')
    const event = todo(parent)
    const child = ctx.sessions.fork(parent, 0, 'child')
    expect(child.eventAt(0)).toBe(event)
    expect(child.firstLiveSeq).toBe(1)
    todo(child)
    todo(child)
    todo(parent)
    expect([parent.seq, child.seq]).toEqual([2, 3])
    expect(heard).toEqual(['parent 0', 'child 1', 'child 2', 'parent 1'])
  })

  it('forks behind any closed turn while another one is open', () => {
    const parent = ctx.sessions.create('parent')
    openTurn(parent, 1)
    const end = closeTurn(parent, 1)
    const between = todo(parent)
    const open = openTurn(parent, 2)
    expect(ctx.sessions.fork(parent, end.seq).seq).toBe(2)
    expect(ctx.sessions.fork(parent, between.seq).seq).toBe(3)
    expectError('OPEN_TURN', () => ctx.sessions.fork(parent))
    expectError('OPEN_TURN', () => ctx.sessions.fork(parent, open.seq))
    expectError('OPEN_TURN', () => ctx.sessions.fork(parent, 0))
  })

  it('makes an empty child of an empty session', () => {
    const parent = ctx.sessions.create('parent')
    const child = ctx.sessions.fork(parent)
    expect(child.seq).toBe(0)
    expect(child.header).toMatchObject({ parentSession: 'parent', seedLength: 0 })
    expectError('INVALID_BOUNDARY', () => ctx.sessions.fork(parent, 0))
  })

  it('names the nearest parent in a chain of forks', () => {
    const parent = ctx.sessions.create('a')
    todo(parent)
    ctx.sessions.fork('a', 0, 'b')
    expect(ctx.sessions.fork('b', 0, 'c').header).toMatchObject({ parentSession: 'b', seedLength: 1 })
  })

  it('says what is wrong, and leaves nothing behind', () => {
    const parent = ctx.sessions.create('parent')
    todo(parent)
    expectError('SESSION_NOT_FOUND', () => ctx.sessions.fork('nobody'))
    expectError('SESSION_NOT_LIVE', () => ctx.sessions.fork(new Session('parent')))
    expectError('SESSION_ALREADY_EXISTS', () => ctx.sessions.fork(parent, 0, 'parent'))
    for (const boundary of [-1, 1, 0.5, Number.NaN]) {
      expectError('INVALID_BOUNDARY', () => ctx.sessions.fork(parent, boundary, 'child'))
    }
    expectError('INVALID_EVENT', () => ctx.sessions.fork(parent, 0, ''))
    expect(ctx.sessions.list()).toEqual([parent])
  })

  it('can be asked for by a listener of the source', () => {
    ctx.on('session/event', session => {
      if (session.id === 'parent') ctx.sessions.fork(session, undefined, 'child')
    })
    todo(ctx.sessions.create('parent'))
    expect(ctx.sessions.get('child')?.seq).toBe(1)
  })
})

describe('flush', () => {
  it('runs all listeners, waits for all and rejects with the first failure', async () => {
    const session = ctx.sessions.create()
    const done: string[] = []
    let release = () => {}
    const slow = new Promise<void>(resolve => {
      release = resolve
    })
    ctx.on('session/flush', () => {
      throw new Error('first')
    })
    ctx.on('session/flush', () => Promise.reject(new Error('second')))
    ctx.on('session/flush', async given => {
      await slow
      done.push(given.id)
    })
    const flushed = ctx.sessions.flush(session)
    release()
    await expect(flushed).rejects.toThrow('first')
    expect(done).toEqual([session.id])
  })

  it('refuses what is not in the store', async () => {
    await expect(ctx.sessions.flush(new Session('a'))).rejects.toMatchObject({ code: 'SESSION_NOT_LIVE' })
  })
})

describe('prepare, enter and announce', () => {
  it('prepare builds what create would, and puts it nowhere', () => {
    const session = ctx.sessions.prepare('a', { meta: { cwd: '/work' } })
    expect(session.header).toMatchObject({ id: 'a', cwd: '/work' })
    expect(ctx.sessions.get('a')).toBeUndefined()
    ctx.sessions.create('a')
    expectError('SESSION_ALREADY_EXISTS', () => ctx.sessions.enter(session))
    expectError('SESSION_ALREADY_EXISTS', () => ctx.sessions.prepare('a'))
    expectError('SESSION_NOT_LIVE', () => ctx.sessions.announce(session))
  })

  it('an entered session is live for get, fork and flush, and listed once announced', async () => {
    const session = ctx.sessions.prepare('a')
    const told: string[] = []
    ctx.on('session/created', given => void told.push(given.id))
    ctx.sessions.enter(session)
    expect(ctx.sessions.get('a')).toBe(session)
    expect(ctx.sessions.list()).toEqual([])
    expect(told).toEqual([])
    await ctx.sessions.flush(session)
    ctx.sessions.announce(session)
    expect(ctx.sessions.list()).toEqual([session])
    expect(told).toEqual(['a'])
    expect(ctx.sessions.fork('a').header.parentSession).toBe('a')
  })

  it('detach takes out its own entry, once, and no later one of the same session', () => {
    const session = ctx.sessions.prepare('a')
    const told: string[] = []
    ctx.on('session/disposed', given => void told.push(given.id))
    const detach = ctx.sessions.enter(session)
    ctx.sessions.announce(session)
    detach()
    ctx.sessions.enter(session)
    ctx.sessions.announce(session)
    detach()
    expect(ctx.sessions.get('a')).toBe(session)
    expect(told).toEqual(['a'])
    todo(session)
  })

  it('lists for a plugin that comes late exactly what will not be announced to it any more', () => {
    const [early, late] = [ctx.sessions.prepare('early'), ctx.sessions.prepare('late')]
    ctx.sessions.enter(early)
    ctx.sessions.enter(late)
    ctx.sessions.announce(early)
    const adopted = ctx.sessions.list().map(session => session.id as string)
    ctx.on('session/created', session => void adopted.push(session.id))
    ctx.sessions.announce(late)
    expect(adopted).toEqual(['early', 'late'])
  })
})
