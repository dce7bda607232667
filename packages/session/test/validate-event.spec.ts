import { Session, type SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { acceptEvent, acceptWholeEvent } from '../src/validate-event.js'
import { user } from './support/events.js'
import { expectError } from './support/expect-error.js'

describe('acceptEvent', () => {
  it('gives a frozen event with its keys in stored order', () => {
    const event = acceptEvent('user/message', 1, 5, user('a'), { sourceEventSeqs: [0], surfaceOp: 'append' })
    expect(Object.keys(event)).toEqual(['type', 'seq', 'time', 'surfaceOp', 'sourceEventSeqs', 'data'])
    expect(Object.isFrozen(event)).toBe(true)
    expect(Object.keys(acceptEvent('user/message', 1, 5, user('a'), { surfaceOp: 'append' }))).toEqual([
      'type',
      'seq',
      'time',
      'surfaceOp',
      'data',
    ])
  })

  it('keeps types that nobody knows, with any payload', () => {
    for (const data of [null, 0, 'text', [], { deep: [{ a: 1 }] }]) {
      expect(acceptEvent('stranger/fact', 0, 0, data, undefined).data).toEqual(data)
    }
  })

  it.each(['', 'session', 'commit', 'text-chunks', '/', '/x', 'x/', 5, null, undefined])(
    'refuses the type %j',
    type => {
      expect(expectError('INVALID_EVENT', () => acceptEvent(type, 0, 0, {}, undefined)).path).toBe('type')
    },
  )

  it('refuses the removed header delta', () => {
    expectError('INVALID_EVENT', () => acceptEvent('request/header-delta', 0, 0, {}, undefined))
  })

  it('says where in the log a value was refused', () => {
    const error = expectError('NOT_JSON', () => acceptEvent('a/b', 7, 0, { x: [1n] }, undefined))
    expect(error).toMatchObject({ seq: 7, path: 'data.x[0]' })
    expect(error.message).toContain('data.x[0]')
  })
})

describe('acceptWholeEvent', () => {
  const good = { type: 'a/b', seq: 3, time: 9, data: {} }

  it('takes an event at its place, whatever the order of its keys', () => {
    const event = acceptWholeEvent({ data: {}, time: 9, seq: 3, type: 'a/b' }, 3)
    expect(event).toEqual(good)
    expect(Object.keys(event)).toEqual(['type', 'seq', 'time', 'data'])
  })

  it.each<[string, unknown, string]>([
    ['no object', 'text', 'event'],
    ['null', null, 'event'],
    ['a list', [], 'event'],
    ['an unknown key', { ...good, ignorable: true }, 'event'],
    ['a symbol key', { ...good, [Symbol('s')]: 1 }, 'event'],
    ['a gap', { ...good, seq: 4 }, 'seq'],
    ['a seq as text', { ...good, seq: '3' }, 'seq'],
    ['a fractional time', { ...good, time: 1.5 }, 'time'],
    ['a time beyond whole numbers', { ...good, time: 2 ** 60 }, 'time'],
    ['a time of -0', { ...good, time: -0 }, 'time'],
    ['no time', { type: 'a/b', seq: 3, data: {} }, 'time'],
    ['no payload', { type: 'a/b', seq: 3, time: 9 }, 'data'],
    ['no type', { seq: 3, time: 9, data: {} }, 'type'],
  ])('refuses %s', (_, value, path) => {
    expect(expectError('INVALID_EVENT', () => acceptWholeEvent(value, 3)).path).toBe(path)
  })

  it('refuses an event that cannot be read', () => {
    const value = {
      ...good,
      get data(): unknown {
        throw new Error('gone')
      },
    }
    expectError('NOT_JSON', () => acceptWholeEvent(value, 3))
  })

  it('refuses a marker on a type nobody knows, for nobody could say what the model saw', () => {
    expectError('SURFACE_CONFLICT', () => acceptWholeEvent({ ...good, surfaceOp: 'append' }, 3))
    expectError('SURFACE_CONFLICT', () => acceptWholeEvent({ ...good, sourceEventSeqs: [1] }, 3))
  })

  it('takes exactly the events that append takes', () => {
    const session = new Session('s')
    const event = session.append('user/message', user('a'), { surfaceOp: 'append' })
    expect(acceptWholeEvent(JSON.parse(JSON.stringify(event)), 0)).toEqual(event)
    expectError('SURFACE_CONFLICT', () =>
      acceptWholeEvent({ type: 'user/message', seq: 0, time: 0, data: user('a') }, 0),
    )
  })

  it('lets negative and stepping clocks be', () => {
    const events = [5, -3, 5, 0].map((time, seq) => ({ type: 'a/b', seq, time, data: {} })) as unknown as SessionEvent[]
    expect(new Session('s', events).events.map(event => event.time)).toEqual([5, -3, 5, 0])
  })
})
