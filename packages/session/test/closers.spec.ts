import { callId, providerTranscript, userMessage } from '@dsh/llm'
import {
  appendClosers,
  closeOpenTurn,
  interruptedTurnClosers,
  openTurn,
  recordTurn,
  Session,
  type SessionView,
  type TurnCloser,
} from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendStep, assistant, result, steps, user } from './support/events.js'
import { findBreach } from './support/find-breach.js'
import { eventList } from './support/fold-events.js'
import { programs, recordTypicalTurn, runProgram } from './support/recorder-program.js'

const [a, b, c] = ['a', 'b', 'c'].map(callId)

/** A log that stops after three parallel calls: `a` answered, `b` running, `c` not started. */
function interrupted(): Session {
  const session = new Session('s')
  const turn = recordTurn(session)
  turn.prompt(userMessage('go'))
  const step = turn.step()
  step.message(assistant('', ['a', 'b', 'c']).content, { provider: 'p', model: 'm' })
  step.call(a!)
  step.call(b!)
  step.result(a!, 'done')
  return session
}

/** The session of a log that was stored, closed and loaded. */
function closed(log: SessionView, closers: readonly TurnCloser[] = interruptedTurnClosers(log)): Session {
  return new Session(log.id, [...log, ...closers], log.header)
}

describe('closeOpenTurn', () => {
  it('answers what is unanswered in block order, ends the step and the turn', () => {
    const session = interrupted()
    const closers = closeOpenTurn(session, 'interrupted')
    expect(closers.map(event => [event.type, event.seq])).toEqual([
      ['tool/result', 7],
      ['tool/result', 8],
      ['step/end', 9],
      ['turn/end', 10],
    ])
    expect(closers.map(event => event.data)).toMatchObject([
      { turn: 1, step: 1, message: { source: { callId: b } }, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      { turn: 1, step: 1, message: { source: { callId: c } }, error: { code: 'TOOL_NOT_STARTED' } },
      { turn: 1, step: 1 },
      { turn: 1, reason: { kind: 'interrupted' } },
    ])
  })

  it('cites the tool call where one was recorded', () => {
    const [started, waiting] = closeOpenTurn(interrupted(), 'interrupted')
    expect(started).toMatchObject({ surfaceOp: 'append', sourceEventSeqs: [5] })
    expect(waiting).not.toHaveProperty('sourceEventSeqs')
  })

  it('tells the model that each result is an error', () => {
    const results = closed(interrupted()).deriveMessages().slice(-2)
    const blocks = results.flatMap(message => message.content)
    expect(blocks).toMatchObject([{ isError: true }, { isError: true }])
    expect(JSON.stringify(blocks[0])).toContain('may have taken effect')
    expect(JSON.stringify(blocks[1])).toContain('before this tool was started')
  })

  it('gives the same events for the same log, whenever and wherever it is asked', () => {
    const session = interrupted()
    const copy = new Session('s', session.events)
    expect(closeOpenTurn(copy, 'interrupted')).toEqual(closeOpenTurn(session, 'interrupted'))
    const { time } = session.eventAt(session.seq - 1)
    for (const event of closeOpenTurn(session, 'interrupted')) expect(event.time).toBe(time)
  })

  it('derives message ids that differ by session and place', () => {
    const ids = (session: SessionView) =>
      closeOpenTurn(session, 'interrupted').flatMap(event =>
        event.type === 'tool/result' ? event.data.message.id : [],
      )
    const session = interrupted()
    expect(ids(session)).toEqual(['s/closer/7', 's/closer/8'])
    expect(ids(new Session('other', session.events))).toEqual(['other/closer/7', 'other/closer/8'])
  })

  it('appends nothing and freezes what it gives', () => {
    const session = interrupted()
    const closers = closeOpenTurn(session, 'interrupted')
    expect(session.seq).toBe(7)
    expect(closers.every(event => Object.isFrozen(event) && Object.isFrozen(event.data))).toBe(true)
  })

  it.each(['aborted', { kind: 'disposed' }, { kind: 'error', step: 1, message: 'boom' }] as const)(
    'ends the turn as %j',
    outcome => {
      const reason = typeof outcome === 'string' ? { kind: outcome } : outcome
      expect(closeOpenTurn(interrupted(), outcome).at(-1)?.data).toEqual({ turn: 1, reason })
    },
  )

  it('gives nothing when no turn is open', () => {
    const session = new Session('s')
    expect(closeOpenTurn(session, 'interrupted')).toEqual([])
    recordTypicalTurn(session)
    session.append('user/message', user('idle'), { surfaceOp: 'append' })
    expect(closeOpenTurn(session, 'interrupted')).toEqual([])
  })

  it('ends a turn without a step by its end alone', () => {
    const session = new Session('s')
    recordTurn(session)
    expect(closeOpenTurn(session, 'interrupted').map(event => event.type)).toEqual(['turn/end'])
  })

  it('answers no calls of earlier turns', () => {
    const session = closed(interrupted())
    const turn = recordTurn(session)
    turn.step().message(assistant('', ['a']).content, { provider: 'p', model: 'm' })
    expect(closeOpenTurn(session, 'aborted').map(event => event.type)).toEqual(['tool/result', 'step/end', 'turn/end'])
  })

  it('answers a call that a compaction took off the surface, so that the log pairs', () => {
    const session = interrupted()
    const nodes = session.surface.nodes
    session.append('user/message', user('summary'), {
      surfaceOp: { op: 'replace', start: nodes[0]!, end: nodes.at(-1)! },
      sourceEventSeqs: [...nodes],
    })
    const after = closed(session)
    expect(findBreach(after.events)).toBeUndefined()
    const { messages } = providerTranscript(after.deriveMessages())
    expect(messages).toEqual([user('summary')])
  })
})

describe('appendClosers', () => {
  it('closes a live turn', () => {
    const session = interrupted()
    const closers = closeOpenTurn(session, 'aborted')
    const appended = appendClosers(session, closers)
    expect(session.slice(7)).toEqual(appended)
    const facts = (events: readonly TurnCloser[]) => events.map(({ time: _, ...event }) => event)
    expect(facts(appended)).toEqual(facts(closers))
    expect(findBreach(session.events)).toBeUndefined()
    expect(appendClosers(session, closeOpenTurn(session, 'aborted'))).toEqual([])
  })
})

describe('interruptedTurnClosers', () => {
  it('closes every prefix of a recorded log for good', () => {
    const session = new Session('s')
    recordTypicalTurn(session)
    for (let seq = 0; seq <= session.seq; seq++) checkClosed(session.at(seq))
  })

  it('closes a prefix of any log that a recorder left', () => {
    fc.assert(
      fc.property(programs, fc.nat(), (program, cut) => {
        const session = new Session('s')
        runProgram(session, program)
        checkClosed(session.at(cut % (session.seq + 1)))
        checkClosed(session)
      }),
      { numRuns: 120 },
    )
  })

  it('invents no message from chunks whose message was lost', () => {
    const session = new Session('s')
    const step = recordTurn(session).step()
    step.chunk({ type: 'text-delta', index: 0, text: 'half an answ' })
    step.chunk({ type: 'tool-call-delta', index: 1, id: a!, name: 'ls', argumentsDelta: '{' })
    expect(interruptedTurnClosers(session).map(event => event.type)).toEqual(['step/end', 'turn/end'])
    expect(closed(session).deriveMessages()).toEqual([])
  })

  it('closes any log that loads', () => {
    fc.assert(
      fc.property(steps, list => {
        const session = new Session('s')
        for (const step of list) appendStep(session, step)
        const after = closed(session)
        expect(after.fold(openTurn)).toBeUndefined()
        expect(interruptedTurnClosers(after)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('closes a foreign log with strange numbers and events nobody knows', () => {
    const session = new Session(
      's',
      eventList(
        ['turn/start', { turn: 'seven' }],
        ['stranger/fact', { any: ['thing'] }],
        ['turn/start', { turn: 40 }],
        ['step/start', null],
        ['assistant/message', { turn: 40, step: 'x', message: assistant('', ['a', 'a']) }],
        ['tool/call', { callId: 'orphan', name: 'x', arguments: '{}' }],
        ['tool/result', { turn: 40, step: 9, message: result('nobody', 'x') }],
        ['step/end', 'odd'],
        ['step/start', { turn: 40, step: 3 }],
      ),
    )
    const closers = interruptedTurnClosers(session)
    expect(closers.map(event => event.data)).toMatchObject([
      { turn: 40, step: 0, message: { source: { callId: 'a' } }, error: { code: 'TOOL_NOT_STARTED' } },
      { turn: 0, step: 0, message: { source: { callId: 'orphan' } }, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      { turn: 40, step: 3 },
      { turn: 40, reason: { kind: 'interrupted' } },
    ])
    expect(closed(session).fold(openTurn)).toBeUndefined()
  })
})

/** What holds of every closed log that a recorder began: balanced, closed for good, and a transcript that pairs. */
function checkClosed(log: SessionView): void {
  const after = closed(log)
  expect(findBreach(after.events)).toBeUndefined()
  expect(after.fold(openTurn)).toBeUndefined()
  expect(interruptedTurnClosers(after)).toEqual([])
  const kinds = providerTranscript(after.deriveMessages()).changes.map(change => change.kind)
  for (const kind of ['result-added', 'result-dropped', 'result-split', 'call-dropped'])
    expect(kinds).not.toContain(kind)
}
