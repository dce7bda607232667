import { isSessionError, Session, type SessionError, type SessionId } from '@dsh/session'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it, vi } from 'vitest'
import { type InvariantRule, SessionInvariant, violation } from '../src/index.js'
import { append, caught, collectViolations, invariantApp, storeApp } from './support/app.js'
import { logOf, raw, stepEnd, stepStart, textDelta, turnEnd, turnStart, user } from './support/draft.js'

const noNotes: InvariantRule<number> = {
  name: 'no-notes',
  code: 'NOTE',
  description: 'No notes after the second.',
  types: ['acme/note'],
  initial: () => 0,
  apply: notes => (notes < 2 ? notes + 1 : violation('two notes', 'a third', notes)),
}

describe('throw mode', () => {
  it('refuses an event that breaks a rule, with nobody listening, and leaves the log as it was', async () => {
    const { app } = await invariantApp()
    const session = app.sessions.create('s')
    append(session, turnStart(1))
    const error = caught(() => append(session, turnStart(2))) as SessionError
    expect(isSessionError(error, 'INVARIANT')).toBe(true)
    expect({ ...error }).toMatchObject({
      session: 's',
      seq: 1,
      path: 'type',
      details: { rule: 'nesting', code: 'NESTING' },
      expected: 'turn 1 closed before another starts',
      found: 'turn/start in turn 1 between its steps',
    })
    expect(session.events.map(event => event.type)).toEqual(['turn/start'])
  })

  it('goes on after a refusal as if nothing had been tried', async () => {
    const { app, told } = await invariantApp()
    const session = app.sessions.create()
    append(session, turnStart(1))
    expect(() => append(session, stepStart(2))).toThrow('step 1')
    append(session, stepStart(1))
    expect(() => append(session, turnEnd(1))).toThrow('step 1 closed')
    append(session, stepEnd(1))
    append(session, turnEnd(1))
    expect([session.seq, told]).toEqual([4, []])
  })

  it('tells no listener of a refused event', async () => {
    const { app } = await invariantApp()
    const heard = vi.fn()
    app.on('session/event', heard)
    const session = app.sessions.create()
    expect(() => append(session, turnStart(7))).toThrow('turn 1')
    expect(heard).not.toHaveBeenCalled()
  })

  it('does not count an event that another validator refuses', async () => {
    const { app } = await invariantApp()
    let open = false
    app.on('internal/dispatch', (_mode, name) => {
      if (name === 'session/event' && !open) throw new Error('closed')
    })
    const session = app.sessions.create()
    expect(() => append(session, turnStart(1))).toThrow('closed')
    open = true
    append(session, turnStart(1))
    expect(() => append(session, turnStart(1))).toThrow('turn 2')
    expect(session.seq).toBe(1)
  })

  it('leaves alone what is not a candidate of a session', async () => {
    const { app, told } = await invariantApp()
    const session = app.sessions.create()
    append(session, turnStart(1))
    app.emit('session/event', session, session.eventAt(0))
    expect([session.seq, told]).toEqual([1, []])
  })

  it('judges events that are appended before the session is announced', async () => {
    const { app } = await invariantApp()
    const session = app.sessions.prepare()
    app.sessions.enter(session)
    expect(() => append(session, turnEnd(1))).toThrow('turn 1 open')
    append(session, turnStart(1))
    app.sessions.announce(session)
    expect(() => append(session, turnStart(1))).toThrow('turn 2')
  })

  it('sees events that were appended outside the store between two stays in it', async () => {
    const { app, told } = await invariantApp()
    const session = app.sessions.prepare('s')
    append(session, turnStart(1))
    const leave = app.sessions.enter(session)
    append(session, stepStart(1))
    leave()
    app.sessions.enter(session)
    expect(() => append(session, stepStart(1))).toThrow('step 2')
    append(session, stepEnd(1))
    expect(told).toEqual([])
  })
})

describe('report mode', () => {
  it('lets the event pass, logs it and tells once', async () => {
    const { app, told } = await invariantApp({ mode: 'report' })
    const session = app.sessions.create('s')
    append(session, turnStart(1))
    append(session, turnStart(2))
    append(session, turnEnd(2))
    expect(told).toEqual([
      {
        session: 's',
        rule: 'nesting',
        code: 'NESTING',
        seq: 1,
        message: 'expected turn 1 closed before another starts, found turn/start in turn 1 between its steps at type',
      },
    ])
    expect(session.seq).toBe(3)
    expect(JSON.stringify(app.logger.buffer.at(-1)?.args)).toContain('NESTING in session')
  })

  it('tells of every rule that one event breaks', async () => {
    const { app, told } = await invariantApp({ mode: 'report' })
    append(app.sessions.create(), raw('turn/start', { turn: 3, more: 1 }))
    expect(told.map(({ rule }) => rule)).toEqual(['payload', 'turn-trigger', 'turn-number'])
  })

  it('does not tell of an event that a validator refuses', async () => {
    const { app, told } = await invariantApp({ mode: 'report' })
    app.on('internal/dispatch', (_mode, name) => {
      if (name === 'session/event') throw new Error('closed')
    })
    expect(() => append(app.sessions.create(), turnEnd(1))).toThrow('closed')
    expect(told).toEqual([])
  })

  it('tells once of events that were appended before the session was announced', async () => {
    const { app, told } = await invariantApp({ mode: 'report' })
    const session = app.sessions.prepare()
    app.sessions.enter(session)
    append(session, turnEnd(1))
    app.sessions.announce(session)
    append(session, turnStart(1))
    expect(told.map(({ seq }) => seq)).toEqual([0])
  })

  it('survives listeners of session/violation that throw or reject', async () => {
    const { app, told } = await invariantApp({ mode: 'report' })
    app.on(
      'session/violation',
      () => {
        throw new Error('listener')
      },
      { prepend: true },
    )
    app.on('session/violation', (async () => Promise.reject(new Error('later'))) as never, { prepend: true })
    append(app.sessions.create(), turnEnd(1))
    await new Promise(resolve => setImmediate(resolve))
    expect(told).toHaveLength(1)
  })

  it('survives a log exporter that throws', async () => {
    const { app, told } = await invariantApp({ mode: 'report' })
    app.logger.exporter({
      export() {
        throw new Error('exporter')
      },
    })
    append(app.sessions.create(), turnEnd(1))
    expect(told).toHaveLength(1)
  })
})

describe('enclosure', () => {
  it('allows idle messages and plugin events between turns by default', async () => {
    const { app } = await invariantApp()
    const session = app.sessions.create()
    append(session, user())
    append(session, raw('acme/note'))
    expect(session.seq).toBe(2)
  })

  it('refuses them when strict, rewrites too', async () => {
    const { app } = await invariantApp({ enclosure: 'strict' })
    const session = app.sessions.create()
    expect(() => append(session, user())).toThrow('an open turn')
    append(session, turnStart(1))
    append(session, user())
    append(session, turnEnd(1))
    const rewrite = { ...user('Hi', { op: 'replace', start: 1, end: 1 }), sourceEventSeqs: [1] }
    expect(() => append(session, rewrite)).toThrow('an open turn')
    expect(() => append(session, raw('acme/note'))).toThrow('an open turn')
    append(session, turnStart(2))
    append(session, rewrite)
    expect(session.surface.nodes).toEqual([4])
  })
})

describe('sessions that exist already', () => {
  it('are replayed when the plugin is loaded late', async () => {
    const { app, told } = await storeApp()
    const session = app.sessions.create()
    append(session, turnStart(1))
    append(session, stepStart(1))
    append(session, textDelta())
    await app.plugin(SessionInvariant)
    expect(() => append(session, stepStart(2))).toThrow('step 1 closed')
    append(session, textDelta())
    append(session, stepEnd(1))
    append(session, turnEnd(1))
    expect(told).toEqual([])
  })

  it.each(['throw', 'report'] as const)('are reported once for each rule they break, in %s mode', async mode => {
    const { app, told } = await storeApp()
    const session = app.sessions.create('s')
    for (const draft of [turnStart(4), turnStart(6), raw('turn/end', { turn: 6, reason: { kind: 'completed' } })]) {
      append(session, draft)
    }
    await app.plugin(SessionInvariant, { mode })
    expect(told.map(({ rule, seq }) => [rule, seq])).toEqual([
      ['turn-number', 0],
      ['nesting', 1],
    ])
    append(session, turnStart(7))
    append(session, turnEnd(7))
    expect(told).toHaveLength(2)
    if (mode === 'throw') expect(() => append(session, turnStart(9))).toThrow('turn 8')
    else append(session, turnStart(9))
    expect(told).toHaveLength(mode === 'throw' ? 2 : 3)
  })

  it('are replayed again when the plugin is reloaded', async () => {
    const { app, told } = await storeApp()
    const first = app.plugin(SessionInvariant)
    await first
    const session = app.sessions.create()
    append(session, turnStart(1))
    await first.dispose()
    append(session, turnStart(1))
    append(session, stepStart(1))
    expect(told).toEqual([])
    await app.plugin(SessionInvariant)
    expect(told.map(({ rule }) => rule)).toEqual(['turn-number', 'nesting'])
    expect(() => append(session, stepStart(1))).toThrow('step 2')
  })

  it('bring their log along in a seed and in a fork', async () => {
    const { app, told } = await invariantApp()
    const seed = logOf(turnStart(1), turnEnd(1))
    const session = app.sessions.create('s', { seed })
    const child = app.sessions.fork(session)
    for (const each of [session, child]) {
      expect(() => append(each, turnStart(1))).toThrow('turn 2')
      append(each, turnStart(2))
    }
    expect(told).toEqual([])
    app.sessions.create('bad', { seed: logOf(turnStart(2)) })
    expect(told).toMatchObject([{ session: 'bad', rule: 'turn-number', seq: 0 }])
  })
})

describe('filter', () => {
  it('is asked once for each session, and decides which are watched', async () => {
    const filter = vi.fn((session: Session) => session.id.startsWith('watched'))
    const { app } = await invariantApp({ filter })
    const watched = app.sessions.create('watched')
    const free = app.sessions.create('free')
    expect(() => append(watched, turnEnd(1))).toThrow('INVARIANT')
    append(free, turnEnd(1))
    append(free, turnEnd(1))
    expect(filter.mock.calls.map(([session]) => session.id)).toEqual(['watched', 'free'])
  })

  it('does not keep a session from being created, or an event from being appended, by throwing', async () => {
    const { app } = await invariantApp({
      filter() {
        throw new Error('filter')
      },
    })
    const session = app.sessions.create('s')
    expect(app.logger.buffer.at(-1)?.args).toMatchObject([{ message: 'session "s" is not watched' }])
    append(session, turnEnd(1))
    expect(session.seq).toBe(1)
  })
})

describe('isolation', () => {
  it('keeps to the store of its own isolate', async () => {
    const app = new Context()
    const [left, right] = [app.isolate('sessions').isolate('invariants'), app.isolate('sessions').isolate('invariants')]
    await left.plugin(SessionStore)
    await right.plugin(SessionStore)
    await left.plugin(SessionInvariant)
    const [toldLeft, toldRight] = [collectViolations(left), collectViolations(right)]
    append(right.sessions.create(), turnEnd(1))
    expect(() => append(left.sessions.create(), turnEnd(1))).toThrow('INVARIANT')
    await right.plugin(SessionInvariant, { mode: 'report' })
    append(right.sessions.create('r'), turnEnd(1))
    left.sessions.create('l', { seed: logOf(turnEnd(1)) })
    expect(toldLeft.map(({ session }) => session)).toEqual(['l'])
    expect(toldRight.map(({ rule }) => rule)).toEqual(['nesting', 'nesting'])
  })
})

describe('register', () => {
  it('adds a rule that belongs to the registering plugin', async () => {
    const { app } = await invariantApp()
    const plugin = app.plugin({
      inject: ['invariants'],
      apply: (ctx: Context) => void ctx.invariants.register('acme/notes', noNotes),
    })
    await plugin
    const session = app.sessions.create()
    append(session, raw('acme/note'))
    append(session, raw('acme/note'))
    const error = caught(() => append(session, raw('acme/note'))) as SessionError
    expect(error.details).toEqual({ rule: 'acme/notes', code: 'NOTE' })
    await plugin.dispose()
    append(session, raw('acme/note'))
    expect(session.seq).toBe(3)
  })

  it('replays sessions that exist for it, and keeps the states of the others', async () => {
    const { app, told } = await invariantApp()
    const session = app.sessions.create()
    append(session, turnStart(1))
    append(session, raw('acme/note'))
    const remove = app.invariants.register('notes', noNotes)
    append(session, raw('acme/note'))
    expect(() => append(session, raw('acme/note'))).toThrow('two notes')
    expect(() => append(session, turnStart(1))).toThrow('turn 2')
    remove()
    append(session, raw('acme/note'))
    app.invariants.register('notes', noNotes)
    expect(told).toMatchObject([{ rule: 'notes', seq: 3 }])
  })

  it('refuses a name that is taken', async () => {
    const { app } = await invariantApp()
    expect(
      isSessionError(
        caught(() => app.invariants.register('seq', noNotes)),
        'INVALID_CONFIG',
      ),
    ).toBe(true)
    app.invariants.register('notes', noNotes)
    expect(() => app.invariants.register('notes', { ...noNotes })).toThrow('free')
  })

  it('keeps the rules in force when one is refused', async () => {
    const { app } = await invariantApp()
    const initial = () => {
      throw new Error('no state')
    }
    expect(() => app.invariants.register('broken', { ...noNotes, initial })).toThrow('no state')
    expect(() => append(app.sessions.create(), turnEnd(1))).toThrow('INVARIANT')
  })

  it('takes a rule that throws for a refusal', async () => {
    const { app } = await invariantApp()
    const apply = () => {
      throw new Error('bug')
    }
    app.invariants.register('broken', { ...noNotes, apply })
    const session = app.sessions.create()
    expect(() => append(session, raw('acme/note'))).toThrow('an exception: Error: bug')
    append(session, turnStart(1))
    expect(session.seq).toBe(1)
  })

  it('reaches sessions that are live but not announced', async () => {
    const { app } = await invariantApp()
    const session = app.sessions.prepare()
    app.sessions.enter(session)
    append(session, raw('acme/note'))
    app.invariants.register('notes', noNotes)
    append(session, raw('acme/note'))
    expect(() => append(session, raw('acme/note'))).toThrow('two notes')
  })
})

it.each([{ mode: 'warn' }, { mode: null }, { enclosure: 'loose' }, { filter: 'all' }, { modes: 'throw' }])(
  'refuses the configuration %j',
  async config => {
    const { app } = await storeApp()
    const error = await app.plugin(SessionInvariant, config as never).then(
      () => undefined,
      error => error,
    )
    expect(isSessionError(error, 'INVALID_CONFIG')).toBe(true)
  },
)

it('waits for a store', async () => {
  const app = new Context()
  app.plugin(SessionInvariant)
  expect(app.get('invariants')).toBeUndefined()
  await app.plugin(SessionStore)
  const session = app.sessions.create()
  await new Promise(resolve => setImmediate(resolve))
  expect(app.get('invariants')).toBeDefined()
  expect(() => append(session, turnEnd(1))).toThrow('INVARIANT')
})

it('leaves a session without a store alone', async () => {
  await invariantApp()
  const session = new Session('detached' as SessionId)
  append(session, turnEnd(1))
  expect(session.seq).toBe(1)
})
