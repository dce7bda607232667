import { closeOpenTurn, forkSession, Session } from '@dsh/session'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { programs, recordTypicalTurn, runProgram } from '../../session/test/support/recorder-program.js'
import { findViolations } from '../src/index.js'
import { invariantApp } from './support/app.js'

/** What a process writes that finds the log of another one that died. */
function resumed(session: Session): Session {
  return new Session(session.id, [...session.events, ...closeOpenTurn(session, 'interrupted')], session.header)
}

it('finds nothing wrong with turns that were recorded under random interleavings, killed and resumed', () => {
  fc.assert(
    fc.property(programs, programs, (before, after) => {
      const session = new Session('s')
      runProgram(session, before)
      const next = resumed(session)
      runProgram(next, after)
      expect(findViolations(next.events)).toEqual([])
    }),
    { numRuns: 100 },
  )
})

it('refuses no append of a recorder in throw mode', async () => {
  const { app, told } = await invariantApp()
  fc.assert(
    fc.property(programs, program => {
      const session = app.sessions.create()
      runProgram(session, program)
      const closed = resumed(session)
      runProgram(app.sessions.create(undefined, { seed: closed.events }), program)
    }),
    { numRuns: 50 },
  )
  expect(told).toEqual([])
})

it('finds nothing wrong with a fork that goes on', () => {
  const session = new Session('s')
  recordTypicalTurn(session)
  recordTypicalTurn(session)
  const firstEnd = session.events.find(event => event.type === 'turn/end')!.seq
  const fork = forkSession(session, { id: 'fork', boundary: firstEnd })
  recordTypicalTurn(fork)
  expect(findViolations(fork.events)).toEqual([])
})
