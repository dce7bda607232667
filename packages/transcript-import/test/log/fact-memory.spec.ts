import { describe, expect, it } from 'vitest'
import { FactMemory } from '../../src/log/fact-memory.js'

describe('FactMemory', () => {
  it('tells a field when it is new and when it changes, not when it repeats', () => {
    const memory = new FactMemory()
    expect(memory.news({ version: '1', branch: 'a' })).toEqual({ version: '1', branch: 'a' })
    expect(memory.news({ version: '1', branch: 'b' })).toEqual({ branch: 'b' })
    expect(memory.news({ version: '1', branch: 'b' })).toBeUndefined()
    expect(memory.news({ version: '1', branch: 'a' })).toEqual({ branch: 'a' })
  })

  it('looks at fields inside fields, and at lists as a whole', () => {
    const memory = new FactMemory()
    memory.news({ usage: { tier: 's', n: 1 }, list: [1, 2], empty: {} })
    expect(memory.news({ usage: { tier: 's', n: 2 }, list: [1, 2], empty: {} })).toEqual({ usage: { n: 2 } })
    expect(memory.news({ list: [1] })).toEqual({ list: [1] })
  })

  it('tells long values of one length apart', () => {
    const memory = new FactMemory()
    const [a, b] = ['a'.repeat(5_000), `${'a'.repeat(4_999)}b`]
    memory.news({ text: a })
    expect(memory.news({ text: a })).toBeUndefined()
    expect(memory.news({ text: b })).toEqual({ text: b })
  })

  it('tells a string from the value that it looks like', () => {
    const memory = new FactMemory()
    memory.news({ value: null })
    expect(memory.news({ value: 'null' })).toEqual({ value: 'null' })
  })

  it('forgets rather than grow where keys are data, so that facts are told again', () => {
    const memory = new FactMemory()
    memory.news({ version: '1' })
    memory.news(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`file-${index}`, index])))
    expect(memory.news({ version: '1' })).toEqual({ version: '1' })
  })
})
