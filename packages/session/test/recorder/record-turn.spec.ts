import { forkSession, interruptedTurnClosers, openTurn, recordTurn, Session, type SessionEvent } from '@dsh/session'
import { attachHost } from '@dsh/session/host'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectError } from '../support/expect-error.js'
import { findBreach } from '../support/find-breach.js'
import { eventList } from '../support/fold-events.js'
import { programs, recordTypicalTurn, runProgram } from '../support/recorder-program.js'

describe('recordTurn', () => {
  it('opens the next turn with its trigger', () => {
    const session = new Session('s')
    recordTurn(session).close()
    const turn = recordTurn(session, { trigger: { kind: 'retry' } })
    expect(turn.turn).toBe(2)
    expect(session.eventAt(0).data).toEqual({ turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
    expect(session.eventAt(2).data).toEqual({ turn: 2, trigger: { kind: 'retry' } })
  })

  it('refuses to open a turn inside another', () => {
    const session = new Session('s')
    recordTurn(session)
    const error = expectError('OPEN_TURN', () => recordTurn(session))
    expect(error.found).toBe('turn 1, opened at seq 0')
    expect(session.seq).toBe(1)
  })

  it('counts on in a fork and in a log that others wrote', () => {
    const session = new Session('s')
    recordTypicalTurn(session)
    expect(recordTurn(forkSession(session, { id: 'fork' })).turn).toBe(2)
    const foreign = eventList(['turn/start', { turn: 7 }], ['turn/end', { turn: 7, reason: { kind: 'completed' } }])
    expect(recordTurn(new Session('f', foreign)).turn).toBe(8)
    const unnumbered = eventList(['turn/start', { turn: 'x' }], ['turn/end', {}])
    expect(recordTurn(new Session('u', unnumbered)).turn).toBe(1)
  })

  it('opens nothing when a veto refuses the start', () => {
    const session = new Session('s')
    const detach = attachHost(session, {
      admit() {
        throw new Error('veto')
      },
    })
    expect(() => recordTurn(session)).toThrow('veto')
    detach()
    expect(session.seq).toBe(0)
    expect(recordTurn(session).turn).toBe(1)
  })

  it('records a whole turn that breaks no relation', () => {
    const session = new Session('s')
    recordTypicalTurn(session)
    recordTypicalTurn(session)
    expect(findBreach(session.events)).toBeUndefined()
    expect(session.fold(openTurn)).toBeUndefined()
    expect(session.eventAt(session.seq - 1).data).toEqual({ turn: 2, reason: { kind: 'completed' } })
  })

  it('leaves no log that breaks a relation, whatever the order of calls', () => {
    const met = new Map<string, number>()
    fc.assert(
      fc.property(programs, program => {
        const session = new Session('s')
        runProgram(session, program)
        expect(findBreach(session.events)).toBeUndefined()
        for (const kind of [...session].map(describeEvent)) met.set(kind, 1 + (met.get(kind) ?? 0))
      }),
      { numRuns: 200 },
    )
    // The programs get far enough to have tried what they are for.
    for (const kind of ['tool/result', 'request/context', 'change', 'completed', 'max-tokens', 'aborted', 'error']) {
      expect(met.get(kind), kind).toBeGreaterThan(0)
    }
  })

  it('agrees with the log when vetoes strike anywhere', () => {
    fc.assert(
      fc.property(programs, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), (program, vetoes) => {
        const session = new Session('s')
        let candidates = 0
        const detach = attachHost(session, {
          admit() {
            if (vetoes[candidates++ % vetoes.length] && candidates % 3 === 0) throw new Error('veto')
            return undefined
          },
        })
        runProgram(session, program)
        expect(findBreach(session.events)).toBeUndefined()
        detach()
        runProgram(session, program)
        expect(findBreach(session.events)).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })

  it('goes on in another process where a crash stopped the first one', () => {
    fc.assert(
      fc.property(programs, programs, fc.nat(), (first, second, cut) => {
        const session = new Session('s')
        runProgram(session, first)
        const stored = session.at(cut % (session.seq + 1))
        const resumed = new Session('s', [...stored, ...interruptedTurnClosers(stored)], session.header)
        runProgram(resumed, second)
        expect(findBreach(resumed.events)).toBeUndefined()
        const reasons = [...resumed].filter(event => event.type === 'request/header').map(event => event.data.reason)
        expect(reasons.filter(reason => reason === 'resume').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 100 },
    )
  })
})

function describeEvent(event: SessionEvent): string {
  if (event.type === 'turn/end') return event.data.reason.kind
  return event.type === 'request/header' ? event.data.reason : event.type
}
