import { totalTokens } from '@dsh/llm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disjointUsage } from '../src/usage.js'

describe('disjointUsage', () => {
  it('takes the cached part out of an input that includes it', () => {
    const usage = disjointUsage({
      input: 100,
      output: 9,
      cacheRead: 60,
      cacheWrite: 30,
      inputHasCacheRead: true,
      inputHasCacheWrite: true,
    })
    expect(usage).toEqual({ inputTokens: 10, outputTokens: 9, cacheReadTokens: 60, cacheWriteTokens: 30 })
  })

  it('takes the reasoning out of an output that includes it', () => {
    expect(disjointUsage({ input: 1, output: 25, reasoning: 23, outputHasReasoning: true })).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      reasoningTokens: 23,
    })
  })

  it('leaves counts alone that are apart already', () => {
    expect(disjointUsage({ input: 1, output: 2, cacheRead: 5, reasoning: 7 })).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      cacheReadTokens: 5,
      reasoningTokens: 7,
    })
  })

  it('is undefined where the source counts nothing', () => {
    expect(disjointUsage({ input: undefined, output: undefined })).toBeUndefined()
    expect(disjointUsage({ input: undefined, output: undefined, cacheWrite: 3 })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheWriteTokens: 3,
    })
  })

  it('never counts below zero, and never more than the source in total', () => {
    const count = fc.nat(1_000)
    fc.assert(
      fc.property(count, count, count, count, (input, output, cacheRead, reasoning) => {
        const usage = disjointUsage({
          input,
          output,
          cacheRead,
          reasoning,
          inputHasCacheRead: true,
          outputHasReasoning: true,
        })!
        expect(Math.min(usage.inputTokens, usage.outputTokens)).toBeGreaterThanOrEqual(0)
        expect(totalTokens(usage)).toBe(Math.max(input, cacheRead) + Math.max(output, reasoning))
      }),
    )
  })
})
