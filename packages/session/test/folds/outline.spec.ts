import { outline, Session } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noCounts } from '../../src/folds/outline-counts.js'
import { assistant, user } from '../support/events.js'
import { type Entry, eventList, foldEvents } from '../support/fold-events.js'
import { programs, recordTypicalTurn, runProgram } from '../support/recorder-program.js'

const fold = (...entries: Entry[]) => foldEvents(outline, eventList(...entries))

describe('outline', () => {
  it('tells the course of a turn', () => {
    const session = new Session('s')
    recordTypicalTurn(session)
    session.append('user/message', { ...user('x'), source: { kind: 'plugin', plugin: 'p' } }, { surfaceOp: 'append' })
    const { turns, idle } = session.fold(outline)
    expect(idle).toEqual({ ...noCounts, injections: 1 })
    expect(turns).toMatchObject([
      {
        turn: 1,
        trigger: { kind: 'message', source: { kind: 'user' } },
        reason: { kind: 'completed' },
        startSeq: 0,
        endSeq: session.seq - 2,
        counts: { prompts: 1, injections: 0, steering: 1, answers: 2, calls: 3, results: 3, failedResults: 1 },
        steps: [
          { step: 1, counts: { ...noCounts, answers: 1, calls: 3, results: 3, failedResults: 1 } },
          { step: 2, counts: { ...noCounts, answers: 1 }, calls: [] },
        ],
      },
    ])
    expect(turns[0]?.steps[0]?.calls.map(call => [call.callId, call.isError])).toEqual([
      ['c0', false],
      ['c1', false],
      ['c2', true],
    ])
  })

  it('gives the time of the first and the last event, even where the clock stepped back', () => {
    const [turn] = fold(['turn/start', { turn: 1 }], ['user/message', user('a'), { time: 50 }]).turns
    expect(turn).toMatchObject({ startTime: 100, endTime: 50 })
    expect(turn).not.toHaveProperty('endSeq')
    expect(turn).not.toHaveProperty('reason')
  })

  it('leaves rewrites out', () => {
    const replace = { surfaceOp: { op: 'replace', start: 1, end: 1 }, sourceEventSeqs: [1] }
    const { turns } = fold(
      ['turn/start', { turn: 1 }],
      ['user/message', user('a')],
      ['user/message', user('b'), replace],
    )
    expect(turns[0]?.counts.prompts).toBe(1)
  })

  it('keeps what a broken log holds', () => {
    const { turns, idle } = fold(
      ['step/start', { step: 1 }],
      ['turn/end', { turn: 9 }],
      ['user/message', user('idle')],
      ['turn/start', { turn: 'x' }],
      ['assistant/message', { message: assistant('between steps', ['a']) }],
      ['step/start', null],
      ['step/start', { step: 4 }],
      ['turn/start', { turn: 7, trigger: { kind: 'odd' } }],
      ['step/end', { step: 1 }],
      ['turn/end', null],
    )
    expect(idle).toEqual({ ...noCounts, prompts: 1 })
    expect(turns).toMatchObject([
      { turn: 0, counts: { answers: 1, calls: 1 }, steps: [{ step: 0 }, { step: 4 }] },
      { turn: 7, trigger: { kind: 'odd' }, endSeq: 9, steps: [] },
    ])
    expect(turns.map(turn => turn.endSeq)).toEqual([undefined, 9])
  })

  it('changes no outline that a caller holds', () => {
    fc.assert(
      fc.property(programs, program => {
        const session = new Session('s')
        runProgram(session, program)
        let state = outline.initial()
        for (const event of session.slice().filter(({ type }) => outline.types?.includes(type))) {
          const before = JSON.stringify(state)
          const next = outline.apply(state, event)
          expect(JSON.stringify(state)).toBe(before)
          state = next
        }
        expect(state).toEqual(session.fold(outline))
      }),
      { numRuns: 25 },
    )
  })

  it('counts each message of a log once', () => {
    fc.assert(
      fc.property(programs, program => {
        const session = new Session('s')
        runProgram(session, program)
        const { turns, idle } = session.fold(outline)
        for (const [name, type] of [
          ['answers', 'assistant/message'],
          ['results', 'tool/result'],
          ['prompts', 'user/message'],
          ['steering', 'steering/message'],
        ] as const) {
          const counted = turns.reduce((sum, turn) => sum + turn.counts[name], idle[name])
          expect(counted).toBe([...session].filter(event => event.type === type).length)
        }
        expect(turns.flatMap(turn => turn.steps)).toHaveLength(
          [...session].filter(event => event.type === 'step/start').length,
        )
      }),
      { numRuns: 50 },
    )
  })
})
