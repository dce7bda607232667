import { type EpochHeader, type RequestHeaderReason, Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { contextChanged, headerReason, isHeaderRecorded } from '../../src/recorder/request-record.js'

const header = (system?: string): EpochHeader => ({ config: { provider: 'p', model: 'm' }, ...(system && { system }) })
const append = (session: Session, reason: RequestHeaderReason, system?: string) =>
  session.append('request/header', { header: header(system), reason })

describe('headerReason', () => {
  it('is initial exactly before the first header of the log', () => {
    const session = new Session('s')
    expect(headerReason(session, header())).toBe('initial')
    append(session, 'initial')
    expect(headerReason(session, header())).toBeUndefined()
  })

  it('is change where the header differs from the one in force', () => {
    const session = new Session('s')
    append(session, 'initial', 'one')
    expect(headerReason(session, header('two'))).toBe('change')
    append(session, 'change', 'two')
    expect(headerReason(session, header('two'))).toBeUndefined()
    expect(headerReason(session, header('one'))).toBe('change')
  })

  it('is resume once in a process that goes on with a log, changed or not', () => {
    const stored = new Session('s')
    append(stored, 'initial', 'one')
    for (const system of ['one', 'two']) {
      const session = new Session('s', stored.events)
      expect(headerReason(session, header(system))).toBe('resume')
      append(session, 'resume', system)
      expect(headerReason(session, header(system))).toBeUndefined()
      expect(headerReason(session, header('three'))).toBe('change')
    }
  })

  it('is initial in a process that goes on with a log without headers', () => {
    const stored = new Session('s')
    stored.append('todo/write', { todos: [] })
    expect(headerReason(new Session('s', stored.events), header())).toBe('initial')
  })
})

describe('contextChanged', () => {
  it('compares route and capacity with the last record', () => {
    const session = new Session('s')
    const context = { provider: 'p', model: 'm', contextWindow: 10 }
    expect(contextChanged(session, context)).toBe(true)
    session.append('request/context', context)
    expect(contextChanged(session, { contextWindow: 10, model: 'm', provider: 'p' })).toBe(false)
    for (const change of [{ provider: 'q' }, { model: 'n' }, { contextWindow: 11 }]) {
      expect(contextChanged(session, { ...context, ...change })).toBe(true)
    }
  })
})

describe('isHeaderRecorded', () => {
  it('looks behind the given position only', () => {
    const session = new Session('s')
    expect(isHeaderRecorded(session, 0)).toBe(false)
    session.append('todo/write', { todos: [] })
    append(session, 'initial')
    expect(isHeaderRecorded(session, 0)).toBe(true)
    expect(isHeaderRecorded(session, 1)).toBe(false)
  })
})
