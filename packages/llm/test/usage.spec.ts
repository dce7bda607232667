import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addUsage, type TokenUsage, totalTokens } from '../src/usage.js'

const tokens = fc.nat({ max: 1_000_000 })
const usage: fc.Arbitrary<TokenUsage> = fc.record(
  {
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    reasoningTokens: tokens,
  },
  { requiredKeys: ['inputTokens', 'outputTokens'] },
)

describe('addUsage', () => {
  it('is commutative and associative, and totals add up', () => {
    fc.assert(
      fc.property(usage, usage, usage, (a, b, c) => {
        expect(addUsage(a, b)).toEqual(addUsage(b, a))
        expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)))
        expect(totalTokens(addUsage(a, b))).toBe(totalTokens(a) + totalTokens(b))
      }),
    )
  })

  it('has an optional count exactly when one of the two has it', () => {
    const sum = addUsage({ inputTokens: 1, outputTokens: 2, cacheReadTokens: 0 }, { inputTokens: 3, outputTokens: 4 })
    expect(sum).toStrictEqual({ inputTokens: 4, outputTokens: 6, cacheReadTokens: 0 })
  })

  it('freezes the sum and leaves the terms alone', () => {
    const a = { inputTokens: 1, outputTokens: 1 }
    expect(Object.isFrozen(addUsage(a, a))).toBe(true)
    expect(Object.isFrozen(a)).toBe(false)
    expect(a).toEqual({ inputTokens: 1, outputTokens: 1 })
  })

  it('counts what is not a number as 0, so that one foreign record does not spoil a total', () => {
    const foreign = { inputTokens: 5, cacheReadTokens: null, reasoningTokens: '7' } as unknown as TokenUsage
    expect(addUsage(foreign, { inputTokens: 1, outputTokens: 2 })).toStrictEqual({
      inputTokens: 6,
      outputTokens: 2,
      cacheReadTokens: 0,
      reasoningTokens: 0,
    })
    expect(totalTokens(foreign)).toBe(5)
  })
})

describe('totalTokens', () => {
  it('adds every count once', () => {
    const usage = {
      inputTokens: 1,
      outputTokens: 10,
      cacheReadTokens: 100,
      cacheWriteTokens: 1_000,
      reasoningTokens: 10_000,
    }
    expect(totalTokens(usage)).toBe(11_111)
    expect(totalTokens({ inputTokens: 0, outputTokens: 0 })).toBe(0)
  })
})
