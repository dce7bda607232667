import { encodeRows, recordTurn, Session, type SessionEvent, type StoredRow } from '@dsh/session'
import { storedEntries } from '@dsh/session/host'
import { describe, expect, it } from 'vitest'
import { coreRules, RuleTable } from '../src/index.js'
import { replay } from '../src/replay.js'
import { append } from './support/app.js'
import { assistant, logOf, raw, say, stepEnd, stepStart, textDelta, turnEnd, turnStart } from './support/draft.js'

const table = new RuleTable(coreRules())
const words = Array.from({ length: 20 }, (_, index) => `word${index} `)

function stored(session: Session): Session {
  return Session.restore(session.header, encodeRows(session.events), { trusted: true })
}

/** A session with an open step whose words nobody has put together yet. */
function streaming(): Session {
  const session = new Session('s')
  const step = recordTurn(session).step()
  for (const text of words) step.chunk({ type: 'text-delta', index: 0, text })
  return session
}

function packedRows(session: Session): number {
  const isPacked = (entry: StoredRow | SessionEvent) => 'body' in entry && !entry.type.includes('/')
  return [...storedEntries(session)].filter(isPacked).length
}

describe('replay', () => {
  it('leaves packed rows undecoded and counts their events', () => {
    const session = stored(streaming())
    const { monitor, violations } = replay(session, table)
    expect([monitor.seq, violations, packedRows(session)]).toEqual([session.seq, [], 1])
  })

  it('does not hold missing deltas against the answer that cites them', () => {
    const session = stored(streaming())
    append(session, textDelta('and more'))
    append(session, assistant([say('whatever')], { sources: [2, 3, 22] }))
    append(session, stepEnd(1))
    const { monitor, violations } = replay(session, table)
    expect(violations).toEqual([])
    for (const draft of [stepStart(2), textDelta('Hi', 2), assistant([say('Ho')], { step: 2, sources: [26] })]) {
      append(session, draft)
    }
    const found = [24, 25, 26, 27].slice(1).flatMap(seq => [...monitor.advance(session.eventAt(seq))])
    expect(found.map(({ rule }) => rule)).toEqual(['assembly'])
  })

  it('judges deltas that are there as events', () => {
    const session = streaming()
    append(session, assistant([say('whatever')], { sources: [2, 3] }))
    append(session, textDelta('Hi', 7))
    expect(replay(session, table).violations.map(({ rule }) => rule)).toEqual(['assembly', 'enclosure'])
  })

  it('reads only what lies below the end', () => {
    const session = new Session('s', logOf(turnStart(1), turnEnd(2)))
    expect(replay(session, table, 1).violations).toEqual([])
    expect(replay(session, table, 1).monitor.seq).toBe(1)
  })

  it('gives the first violation of each rule', () => {
    const session = new Session('s', logOf(turnStart(2), turnStart(5), raw('turn/start', { turn: 9 })))
    expect(replay(session, table).violations.map(({ rule, seq }) => [rule, seq])).toEqual([
      ['turn-number', 0],
      ['nesting', 1],
      ['turn-trigger', 2],
    ])
  })
})
