import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { coreRules, type RuleViolation } from '../src/index.js'
import { SessionWatch } from '../src/session-watch.js'
import { append } from './support/app.js'
import { logOf, stepStart, turnEnd, turnStart } from './support/draft.js'

function watching(filter = (_: Session) => true) {
  const told: RuleViolation[] = []
  const givenUp: unknown[] = []
  const watch = new SessionWatch({
    rules: coreRules(),
    filter,
    report: (_, violation) => void told.push(violation),
    giveUp: (_, error) => void givenUp.push(error),
  })
  return { watch, told, givenUp }
}

describe('SessionWatch', () => {
  it('gives a session up for good, and lets its events pass, when the filter throws', () => {
    const failure = new Error('filter')
    let asked = 0
    const { watch, told, givenUp } = watching(() => {
      asked++
      throw failure
    })
    const session = new Session('s')
    const [event] = logOf(turnEnd(1))
    watch.judge(session, event!)
    watch.see(session)
    watch.judge(session, event!)
    expect([asked, givenUp, told]).toEqual([1, [failure], []])
  })

  it('brings itself up to a log, whatever was missed', () => {
    const { watch, told } = watching()
    const session = new Session('s')
    watch.see(session)
    append(session, turnStart(1))
    append(session, turnEnd(2))
    append(session, turnEnd(1))
    watch.see(session)
    watch.see(session)
    expect(told.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('counts the event by which a session is first seen on its own', () => {
    const { watch, told } = watching()
    const session = new Session('s', logOf(turnEnd(1), turnEnd(1)))
    append(session, turnEnd(1))
    watch.published(session, session.eventAt(2))
    expect(told.map(({ seq }) => seq)).toEqual([0, 2])
  })

  it('ignores events that it has covered, and sessions that it does not watch', () => {
    const { watch, told } = watching(session => session.id === 's')
    const [session, other] = [new Session('s'), new Session('other')]
    append(session, turnEnd(1))
    append(other, turnEnd(1))
    watch.see(session)
    watch.published(session, session.eventAt(0))
    watch.published(other, other.eventAt(0))
    expect(told).toHaveLength(1)
  })

  it('judges the next event of the log only', () => {
    const { watch } = watching()
    const session = new Session('s', logOf(turnStart(1)))
    const event = (seq: number) => ({ ...logOf(stepStart(4))[0]!, seq })
    expect(() => watch.judge(session, event(0))).not.toThrow()
    expect(() => watch.judge(session, event(1))).toThrow('step 1')
  })
})
