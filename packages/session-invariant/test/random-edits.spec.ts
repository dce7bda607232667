import { closeOpenTurn, recordTurn, Session } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { programs, recordTypicalTurn, runProgram } from '../../session/test/support/recorder-program.js'
import { findViolations } from '../src/index.js'
import { edits, type Log } from './support/edits.js'

function recordedLog(program: Parameters<typeof runProgram>[1]): Log {
  const session = new Session('s')
  recordTypicalTurn(session)
  recordCutTurn(session)
  runProgram(session, program)
  return [...session.events, ...closeOpenTurn(session, 'aborted')]
}

function recordCutTurn(session: Session): void {
  const turn = recordTurn(session)
  const step = turn.step()
  step.chunk({ type: 'text-delta', index: 0, text: 'and so' })
  step.chunk({ type: 'finish', reason: { kind: 'max-tokens' } })
  step.finish()
  step.end()
  turn.close()
}

describe('an edit of a valid log is caught by the rule it breaks', () => {
  const logs = fc.sample(programs, { numRuns: 120, seed: 7 }).map(recordedLog)

  it.each(Object.entries(edits))('%s', (_, { rule, target, apply }) => {
    const targets = logs.flatMap(log => log.flatMap((event, index) => (target(event, log) ? [{ log, index }] : [])))
    expect(targets.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.constantFrom(...targets), ({ log, index }) => {
        expect(findViolations(apply(log, index)).map(violation => violation.rule)).toContain(rule)
      }),
      { numRuns: 30 },
    )
  })
})
