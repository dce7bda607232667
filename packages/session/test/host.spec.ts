import { Session, sessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { encodeRows } from '../src/codec/index.js'
import { attachHost, storedEntries } from '../src/host.js'
import { naiveEvents } from './support/events.js'
import { expectError } from './support/expect-error.js'

const silent = { admit: () => undefined }

describe('attachHost', () => {
  it('lets one owner in at a time', () => {
    const session = new Session('s')
    const detach = attachHost(session, silent)
    expectError('SESSION_ALREADY_EXISTS', () => attachHost(session, silent))
    detach()
    attachHost(session, silent)
  })

  it('gives up only what it owns, however often', () => {
    const session = new Session('s')
    const detach = attachHost(session, { admit: () => undefined })
    detach()
    attachHost(session, {
      admit() {
        throw new Error('second owner')
      },
    })
    detach()
    expect(() => session.append('step/start', { turn: 1, step: 1 })).toThrow('second owner')
  })
})

describe('storedEntries', () => {
  it('gives rows as they were stored and then live events', () => {
    const delta = { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'abc' } }
    const rows = encodeRows(naiveEvents([1, 2, 3].map(() => ({ type: 'assistant/chunk', data: delta }))), {
      pack: true,
    })
    const session = Session.restore({ version: 1, id: sessionId('s'), createdAt: 0 }, rows, { trusted: true })
    const live = session.append('step/end', { turn: 1, step: 1 })
    expect([...storedEntries(session)]).toEqual([...rows, live])
    expect([...storedEntries(session, 1)]).toEqual([...session.slice(1)])
    expect([...storedEntries(session, 3, 4)]).toEqual([live])
  })
})
