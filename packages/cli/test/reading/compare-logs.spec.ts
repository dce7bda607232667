import { forkSession, Session, type SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { compareLogs } from '../../src/reading/compare-logs.js'
import { LogBuilder } from '../support/log-builder.js'

const base = new LogBuilder().prompt('One').answer('Two').end()

function open(id: string, events: readonly SessionEvent[], meta: object = {}) {
  return new Session(id as Session['id'], events, { version: 1, id: id as Session['id'], createdAt: 5, ...meta })
}

describe('compareLogs', () => {
  it('finds two logs of the same events the same, whatever they are called', () => {
    const comparison = compareLogs(open('a', base.events), open('b', base.events))
    expect(comparison).toMatchObject({ commonEvents: base.events.length, onlyInA: 0, onlyInB: 0, header: {} })
    expect(comparison.messages.map(({ kind }) => kind)).toEqual(['same', 'same'])
  })

  it('finds where a fork left its source', () => {
    const source = open('a', new LogBuilder(base.events).prompt('Three').end().events)
    const child = forkSession(source, { id: 'b', boundary: base.events.length - 1, createdAt: 5 })
    child.append('turn/start', { turn: 2, trigger: { kind: 'retry' } })
    const comparison = compareLogs(source, child)
    expect(comparison).toMatchObject({ commonEvents: base.events.length, onlyInA: 3, onlyInB: 1 })
    expect(comparison.header).toEqual({ parentSession: [undefined, 'a'], seedLength: [undefined, base.events.length] })
    expect(comparison.messages.map(({ kind }) => kind)).toEqual(['same', 'same', 'removed'])
  })

  it('compares two points of one session without reading what they share', () => {
    const session = open('a', base.events)
    expect(compareLogs(session.at(2), session.at(5))).toMatchObject({ commonEvents: 2, onlyInA: 0, onlyInB: 3 })
    expect(compareLogs(session, session)).toMatchObject({ commonEvents: session.seq, onlyInA: 0, onlyInB: 0 })
  })

  it('takes messages of the same content as the same, ids aside', () => {
    const other = base.events.map(event =>
      event.type === 'user/message' ? { ...event, data: { ...event.data, id: 'another' as never } } : event,
    )
    const comparison = compareLogs(open('a', base.events), open('b', other))
    expect(comparison.commonEvents).toBe(1)
    expect(comparison.messages.map(({ kind }) => kind)).toEqual(['same', 'same'])
  })

  it('names the header fields that differ', () => {
    const comparison = compareLogs(open('a', [], { cwd: '/a' }), open('b', [], { cwd: '/b', createdAt: 6 }))
    expect(comparison.header).toEqual({ createdAt: [5, 6], cwd: ['/a', '/b'] })
  })
})
