import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { LiveSessions } from '../src/live-sessions.js'
import { expectError } from './support/expect-error.js'
import { RecordingBus } from './support/recording-bus.js'

const scope = {}
const open = () => new LiveSessions(new RecordingBus())
const todo = (session: Session) => session.append('todo/write', { todos: [] })

describe('enter', () => {
  it('reserves the id and makes the session live, unannounced', () => {
    const live = open()
    const session = new Session('a')
    live.enter(session, scope)
    expect(live.get('a')).toBe(session)
    expect(live.list()).toEqual([])
    const error = expectError('SESSION_ALREADY_EXISTS', () => live.enter(new Session('a'), scope))
    expect(error.session).toBe('a')
    expect(live.get('a')).toBe(session)
  })

  it('refuses a session that is in this or another store, and leaves both as they were', () => {
    const [one, other] = [open(), open()]
    const session = new Session('a')
    one.enter(session, scope)
    expectError('SESSION_ALREADY_EXISTS', () => one.enter(session, scope))
    expectError('SESSION_ALREADY_EXISTS', () => other.enter(session, scope))
    expect(other.get('a')).toBeUndefined()
    todo(session)
  })

  it('takes back a session that has left, here or in another store', () => {
    const [one, other] = [open(), open()]
    const session = new Session('a')
    one.enter(session, scope).leave()
    expectError('SESSION_NOT_LIVE', () => todo(session))
    one.enter(session, scope).leave()
    const entry = other.enter(session, scope)
    todo(session)
    expect(other.entryOf(session)).toBe(entry)
    expectError('SESSION_NOT_LIVE', () => one.entryOf(session))
  })

  it('gives a later entry of the same id nothing to fear from an earlier one', async () => {
    const live = open()
    const first = live.enter(new Session('a'), scope)
    first.leave()
    const session = new Session('a')
    live.enter(session, scope)
    first.leave()
    await first.close()
    expect(live.get('a')).toBe(session)
  })
})

describe('list', () => {
  it('gives the announced sessions in order of entry, as a list of its own', () => {
    const live = open()
    const [b, a, c] = ['b', 'a', 'c'].map(id => live.enter(new Session(id), scope))
    a!.announce()
    b!.announce()
    const listed = live.list()
    expect(listed.map(session => session.id)).toEqual(['b', 'a'])
    c!.announce()
    b!.leave()
    expect(listed).toHaveLength(2)
    expect(live.list().map(session => session.id)).toEqual(['a', 'c'])
  })
})

describe('entryOf and resolve', () => {
  it('tell a foreign object of a live id from the live one', () => {
    const live = open()
    const session = new Session('a')
    live.enter(session, scope)
    expectError('SESSION_NOT_LIVE', () => live.entryOf(new Session('a')))
    expectError('SESSION_NOT_LIVE', () => live.resolve(new Session('b')))
    expect(live.resolve(session)).toBe(session)
    expect(live.resolve('a')).toBe(session)
    expectError('SESSION_NOT_FOUND', () => live.resolve('b'))
  })
})

describe('close', () => {
  it('closes every session, announced or not, and takes no new one', async () => {
    const bus = new RecordingBus()
    const live = new LiveSessions(bus)
    const told: string[] = []
    bus.on('session/flush', session => void told.push(`flush ${session.id}`))
    bus.on('session/disposed', session => void told.push(`disposed ${session.id}`))
    live.enter(new Session('a'), scope).announce()
    live.enter(new Session('b'), scope)
    const closed = live.close()
    expectError('SESSION_NOT_LIVE', () => live.enter(new Session('c'), scope))
    await closed
    await live.close()
    expect(told).toEqual(['flush a', 'flush b', 'disposed a'])
    expect([live.get('a'), live.get('b')]).toEqual([undefined, undefined])
  })
})
