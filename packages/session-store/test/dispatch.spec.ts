import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import type { Dispatch, Listener } from '../src/bus.js'
import { consult, notify, settle } from '../src/dispatch.js'
import { RecordingBus } from './support/recording-bus.js'

const session = new Session('s')
const event = session.append('todo/write', { todos: [] })
const dispatch: Dispatch = { name: 'session/event', scope: {}, session, event }
const silent: Dispatch = { name: 'session/created', scope: {}, session, event: undefined }

const fine: Listener['callback'] = () => undefined
const throws = (error: unknown): Listener['callback'] => {
  return () => {
    throw error
  }
}
const listeners = (...callbacks: Listener['callback'][]): Listener[] => callbacks.map(callback => ({ callback }))
const settled = () => new Promise(resolve => setImmediate(resolve))

/** Values that look like promises and misbehave in every way. */
const hostile = {
  'a getter that throws': {
    // biome-ignore lint/suspicious/noThenProperty: the case
    get then(): never {
      throw 'getter'
    },
  },
  'a method that throws': {
    // biome-ignore lint/suspicious/noThenProperty: the case
    then() {
      throw 'method'
    },
  },
  'a method that rejects twice': {
    // biome-ignore lint/suspicious/noThenProperty: the case
    then(_: unknown, reject: (reason: unknown) => void) {
      reject('first')
      reject('second')
    },
  },
}

describe('notify', () => {
  it('calls every listener in order with the session and the event, whatever others throw', () => {
    const bus = new RecordingBus()
    const heard: unknown[] = []
    const hear =
      (name: string): Listener['callback'] =>
      (...args) => {
        heard.push([name, ...args])
      }
    notify(bus, dispatch, listeners(hear('first'), throws('broken'), hear('last')))
    expect(heard).toEqual([
      ['first', session, event],
      ['last', session, event],
    ])
    expect(bus.reports.map(report => report.error)).toEqual(['broken'])
  })

  it('passes the session alone where there is no event', () => {
    let args: unknown[] = []
    notify(
      new RecordingBus(),
      silent,
      listeners((...given) => {
        args = given
      }),
    )
    expect(args).toEqual([session])
  })

  it('reports a later rejection with its listener', async () => {
    const bus = new RecordingBus()
    const [rejecting] = listeners(() => Promise.reject('late'))
    notify(bus, dispatch, [rejecting!])
    expect(bus.reports).toEqual([])
    await settled()
    expect(bus.reports).toEqual([{ error: 'late', name: 'session/event', listener: rejecting }])
  })

  for (const [name, value] of Object.entries(hostile)) {
    it(`survives ${name} in place of a promise`, async () => {
      const bus = new RecordingBus()
      let called = false
      notify(
        bus,
        dispatch,
        listeners(
          () => value,
          () => {
            called = true
          },
        ),
      )
      await settled()
      expect(called).toBe(true)
      expect(bus.reports).toHaveLength(1)
    })
  }

  it('takes values that are no promises for what they are', async () => {
    const bus = new RecordingBus()
    const values = [null, 0, '', 'text', true, {}, [], JSON.parse('{"then":1}'), () => 1]
    notify(bus, dispatch, listeners(...values.map(value => () => value)))
    await settled()
    expect(bus.reports).toEqual([])
  })
})

describe('consult', () => {
  it('stops at the first listener that throws and passes its error on as it is', () => {
    const bus = new RecordingBus()
    let last = false
    const reason = { not: 'an error' }
    const run = () =>
      consult(
        bus,
        silent,
        listeners(fine, throws(reason), () => {
          last = true
        }),
      )
    expect(run).toThrow()
    try {
      run()
    } catch (error) {
      expect(error).toBe(reason)
    }
    expect(last).toBe(false)
    expect(bus.reports).toEqual([])
  })

  it('does not take a later rejection for a veto', async () => {
    const bus = new RecordingBus()
    consult(
      bus,
      silent,
      listeners(() => Promise.reject('late')),
    )
    await settled()
    expect(bus.reports.map(report => report.error)).toEqual(['late'])
  })
})

describe('settle', () => {
  it('calls all listeners before it returns', () => {
    const called: number[] = []
    const note = (index: number) => () => {
      called.push(index)
      throw index
    }
    const done = settle(silent, listeners(note(0), note(1), note(2)))
    expect(called).toEqual([0, 1, 2])
    return done
  })

  it('waits for the slowest and gives the failures in the order of the listeners', async () => {
    let release: () => void = () => undefined
    const slow = new Promise<void>((_, reject) => {
      release = () => reject('slow')
    })
    let done = false
    const all = settle(
      silent,
      listeners(fine, () => slow, throws('quick')),
    ).then(failures => {
      done = true
      return failures
    })
    await settled()
    expect(done).toBe(false)
    release()
    expect((await all).map(failure => failure.error)).toEqual(['slow', 'quick'])
  })
})
