import {
  contextWindow,
  type FoldDefinition,
  openToolCalls,
  openTurn,
  outline,
  Session,
  title,
  todoList,
  tokenTotalsFrom,
} from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestContextFold, requestHeaderFold } from '../../src/epoch-header.js'
import { appendStep, steps } from '../support/events.js'
import { eventList, foldEvents } from '../support/fold-events.js'
import { programs, runProgram } from '../support/recorder-program.js'

const folds: Record<string, FoldDefinition<unknown>> = {
  contextWindow,
  openToolCalls,
  openTurn,
  outline,
  requestContextFold,
  requestHeaderFold,
  title,
  todoList,
  tokenTotals: tokenTotalsFrom(10),
}

describe.each(Object.entries(folds))('%s', (_, definition) => {
  it('read at any moments equals a refold of the whole log', () => {
    fc.assert(
      fc.property(steps, programs, fc.nat(6), (list, program, every) => {
        const session = new Session('s')
        for (const step of list) appendStep(session, step)
        for (let at = 0; at < program.length; at += every + 1) {
          runProgram(session, program.slice(at, at + every + 1))
          expect(session.fold(definition)).toEqual(foldEvents(definition, session.events))
        }
        const half = session.at(session.seq >> 1)
        expect(half.fold(definition)).toEqual(foldEvents(definition, half.events))
      }),
      { numRuns: 20 },
    )
  })

  it('returns the state itself for an event that is none of its business', () => {
    const [event] = eventList(['stranger/fact', { turn: 1, todos: [], usage: { inputTokens: 1, outputTokens: 1 } }])
    const state = definition.initial()
    expect(definition.apply(state, event!)).toBe(state)
  })

  it('looks at no event of another type, and leaves deltas undecoded', () => {
    expect(definition.types).toBeDefined()
    if (definition.types?.includes('assistant/chunk')) expect(definition.deltas).toBe(false)
  })
})
