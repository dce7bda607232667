import { openTurn, Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { type Entry, eventList, foldEvents } from '../support/fold-events.js'

const fold = (...entries: Entry[]) => foldEvents(openTurn, eventList(...entries))

describe('openTurn', () => {
  it('follows turns and steps as they open and close', () => {
    const session = new Session('s')
    expect(session.fold(openTurn)).toBeUndefined()
    session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } })
    expect(session.fold(openTurn)).toEqual({ turn: 1, startSeq: 0 })
    session.append('step/start', { turn: 1, step: 1 })
    expect(session.fold(openTurn)).toEqual({ turn: 1, startSeq: 0, step: 1 })
    session.append('step/end', { turn: 1, step: 1 })
    expect(session.fold(openTurn)).toEqual({ turn: 1, startSeq: 0 })
    session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    expect(session.fold(openTurn)).toBeUndefined()
  })

  it('takes the innermost start where turns nest', () => {
    const nested = fold(['turn/start', { turn: 1 }], ['step/start', { turn: 1, step: 4 }], ['turn/start', { turn: 9 }])
    expect(nested).toEqual({ turn: 9, startSeq: 2 })
  })

  it('closes what is open whatever the number of the end', () => {
    expect(fold(['turn/start', { turn: 1 }], ['turn/end', { turn: 7 }])).toBeUndefined()
    expect(fold(['turn/start', { turn: 1 }], ['step/start', { step: 2 }], ['step/end', { step: 5 }])).toEqual({
      turn: 1,
      startSeq: 0,
    })
  })

  it('opens nothing for a step outside a turn', () => {
    expect(fold(['step/start', { turn: 1, step: 1 }])).toBeUndefined()
    expect(fold(['step/end', { turn: 1, step: 1 }])).toBeUndefined()
  })

  it.each([null, 'x', [], { turn: '1' }, { turn: 1.5 }])('gives turns without a number 0: %j', data => {
    expect(fold(['turn/start', data], ['step/start', data])).toEqual({ turn: 0, startSeq: 0, step: 0 })
  })
})
