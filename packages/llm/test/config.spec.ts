import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LlmCallConfig, llmCallConfigEquals } from '../src/config.js'

const full: LlmCallConfig = {
  provider: 'p',
  model: 'm',
  reasoningEffort: 'high',
  temperature: 0,
  maxTokens: 100,
  stop: ['a', 'b'],
}

describe('llmCallConfigEquals', () => {
  it('does not depend on the order of fields', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(full), { minLength: 6 }), entries => {
        expect(llmCallConfigEquals(full, Object.fromEntries(entries) as unknown as LlmCallConfig)).toBe(true)
      }),
    )
  })

  it.each(Object.keys(full) as (keyof LlmCallConfig)[])('tells configurations apart by %s', field => {
    const other = { ...full, [field]: field === 'stop' ? ['b', 'a'] : 'other' }
    expect(llmCallConfigEquals(full, other)).toBe(false)
    const { [field]: _, ...without } = full
    expect(llmCallConfigEquals(full, without as LlmCallConfig)).toBe(false)
  })

  it('takes an undefined field as absent, but an empty stop list or a temperature of 0 as present', () => {
    const bare: LlmCallConfig = { provider: 'p', model: 'm' }
    expect(llmCallConfigEquals(bare, { ...bare, temperature: undefined, stop: undefined })).toBe(true)
    expect(llmCallConfigEquals(bare, { ...bare, stop: [] })).toBe(false)
    expect(llmCallConfigEquals(bare, { ...bare, temperature: 0 })).toBe(false)
  })

  it('compares fields that this version does not know', () => {
    const withSeed = (seed: number) => ({ provider: 'p', model: 'm', sampling: { seed } })
    expect(llmCallConfigEquals(withSeed(1), withSeed(1))).toBe(true)
    expect(llmCallConfigEquals(withSeed(1), withSeed(2))).toBe(false)
  })

  it('is typed: a route needs provider and model', () => {
    // @ts-expect-error the model is missing
    const config: LlmCallConfig = { provider: 'p' }
    expect(llmCallConfigEquals(config, { ...config, model: 'm' })).toBe(false)
  })
})
