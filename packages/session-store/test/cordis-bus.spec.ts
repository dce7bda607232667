import { Session } from '@dsh/session'
import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import type { Dispatch, SessionEventName } from '../src/bus.js'
import { CordisBus } from '../src/cordis-bus.js'
import { notify } from '../src/dispatch.js'
import { sessionScope } from '../src/scope.js'
import { logged, settled } from './support/app.js'

const session = new Session('s')
const event = session.append('todo/write', { todos: [] })

function dispatchOf(ctx: Context, name: SessionEventName): Dispatch {
  return { name, scope: sessionScope(ctx, ctx), session, event: name === 'session/event' ? event : undefined }
}

describe('CordisBus', () => {
  it('has nobody to tell only while neither the event nor the dispatch hook has a listener', () => {
    const ctx = new Context()
    const bus = new CordisBus(ctx)
    expect(bus.listeners(dispatchOf(ctx, 'session/event'))).toBeUndefined()
    const offDispatch = ctx.on('internal/dispatch', () => undefined)
    expect(bus.listeners(dispatchOf(ctx, 'session/event'))).toEqual([])
    offDispatch()
    const offEvent = ctx.on('session/event', () => undefined)
    expect(bus.listeners(dispatchOf(ctx, 'session/event'))).toHaveLength(1)
    offEvent()
    expect(bus.listeners(dispatchOf(ctx, 'session/event'))).toBeUndefined()
  })

  it('gives the dispatch hook what Cordis would give it, and passes on what it throws', () => {
    const ctx = new Context()
    const bus = new CordisBus(ctx)
    const seen: unknown[][] = []
    ctx.on('internal/dispatch', (mode, name, args, thisArg) => {
      seen.push([mode, name, [...args], typeof thisArg[Context.filter]])
    })
    bus.listeners(dispatchOf(ctx, 'session/event'))
    bus.listeners(dispatchOf(ctx, 'session/flush'))
    expect(seen).toEqual([
      ['emit', 'session/event', [session, event], 'function'],
      ['parallel', 'session/flush', [session], 'function'],
    ])
    ctx.on('internal/dispatch', () => {
      throw 'veto'
    })
    expect(() => bus.listeners(dispatchOf(ctx, 'session/event'))).toThrow('veto')
  })

  it('asks every dispatch hook, also behind one that takes itself out', () => {
    const ctx = new Context()
    const asked: string[] = []
    const off = ctx.on('internal/dispatch', () => {
      asked.push('leaves')
      off()
    })
    ctx.on('internal/dispatch', () => void asked.push('stays'))
    new CordisBus(ctx).listeners(dispatchOf(ctx, 'session/event'))
    expect(asked).toEqual(['leaves', 'stays'])
  })

  it('reports a dispatch hook that rejects later', async () => {
    const ctx = new Context()
    ctx.on('internal/dispatch', () => Promise.reject(new Error('late')) as never)
    new CordisBus(ctx).listeners(dispatchOf(ctx, 'session/event'))
    await settled()
    expect(logged(ctx)).toContain('root: late')
  })

  it('keeps to the order of registration, prepended listeners first', () => {
    const ctx = new Context()
    const heard: string[] = []
    ctx.on('session/created', () => void heard.push('a'))
    ctx.on('session/created', () => void heard.push('b'))
    ctx.on('session/created', () => void heard.push('first'), { prepend: true })
    const bus = new CordisBus(ctx)
    const dispatch = dispatchOf(ctx, 'session/created')
    notify(bus, dispatch, bus.listeners(dispatch) ?? [])
    expect(heard).toEqual(['first', 'a', 'b'])
  })

  it('leaves out listeners beyond the scope, unless they are global', () => {
    const ctx = new Context()
    const elsewhere = ctx.isolate('sessions')
    const heard: string[] = []
    elsewhere.on('session/created', () => void heard.push('elsewhere'))
    elsewhere.on('session/created', () => void heard.push('global'), { global: true })
    ctx.on('session/created', () => void heard.push('here'))
    const bus = new CordisBus(ctx)
    ctx[Context.isolate].sessions = Symbol('sessions')
    const dispatch = dispatchOf(ctx, 'session/created')
    notify(bus, dispatch, bus.listeners(dispatch) ?? [])
    expect(heard).toEqual(['global', 'here'])
  })

  it('logs a failure with its cause in the name of the plugin that failed', async () => {
    const ctx = new Context()
    await ctx.plugin({
      name: 'broken',
      apply(own: Context) {
        own.on('session/event', () => {
          throw new Error('cause')
        })
      },
    })
    const bus = new CordisBus(ctx)
    const dispatch = dispatchOf(ctx, 'session/event')
    notify(bus, dispatch, bus.listeners(dispatch) ?? [])
    bus.report('no error object', dispatchOf(ctx, 'session/flush'))
    expect(logged(ctx)).toEqual([
      'broken: cause',
      'broken: a listener failed on session/event (session "s", seq 0)',
      'root: no error object',
      'root: the dispatch of session/flush failed (session "s")',
    ])
  })

  it('survives a log exporter that throws', () => {
    const ctx = new Context()
    ctx.logger.exporter({
      export() {
        throw new Error('full')
      },
    })
    new CordisBus(ctx).report(new Error('lost'), dispatchOf(ctx, 'session/event'))
    expect(logged(ctx)).toContain('root: lost')
  })
})
