import { type TurnEndFacts, turnEndReason } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const error = { step: 2, message: 'boom', code: 'E' }

describe('turnEndReason', () => {
  it('is completed when nothing else is known', () => {
    expect(turnEndReason({})).toEqual({ kind: 'completed' })
    expect(turnEndReason({ disposed: false, aborted: false, maxTokens: false })).toEqual({ kind: 'completed' })
  })

  it('carries the error with its step', () => {
    expect(turnEndReason({ error })).toEqual({ kind: 'error', ...error })
    const failure = { message: 'overloaded', code: '529' }
    expect(turnEndReason({ error: { step: 1, failure } })).toEqual({ kind: 'error', step: 1, failure })
  })

  it('says nothing beside the kind where a stronger fact hides the error', () => {
    expect(turnEndReason({ aborted: true, error })).toEqual({ kind: 'aborted' })
  })

  it('takes the first that holds of disposed, aborted, error and max-tokens', () => {
    const facts: fc.Arbitrary<TurnEndFacts> = fc.record(
      { disposed: fc.boolean(), aborted: fc.boolean(), error: fc.constant(error), maxTokens: fc.boolean() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(facts, known => {
        const order = [
          [known.disposed, 'disposed'],
          [known.aborted, 'aborted'],
          [known.error, 'error'],
          [known.maxTokens, 'max-tokens'],
          [true, 'completed'],
        ] as const
        expect(turnEndReason(known).kind).toBe(order.find(([holds]) => holds)?.[1])
      }),
    )
  })
})
