import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freezeJson } from '../../src/codec/freeze-json.js'
import { isDeepFrozen, json } from './arbitraries.js'

const nested = (levels: number) => JSON.parse(`${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`)

describe('freezeJson', () => {
  it('freezes everything and changes nothing', () => {
    fc.assert(
      fc.property(json, value => {
        const text = JSON.stringify(value)
        expect(freezeJson(value)).toBe(true)
        expect(isDeepFrozen(value)).toBe(true)
        expect(JSON.stringify(value)).toBe(text)
      }),
    )
  })

  it('takes a thousand levels and refuses more without running out of stack', () => {
    expect(freezeJson(nested(1000))).toBe(true)
    expect(freezeJson([nested(1000)])).toBe(false)
    expect(freezeJson(nested(200_000))).toBe(false)
  })

  it('freezes what lies under an own __proto__ key', () => {
    const value = JSON.parse('{"__proto__":{"a":[]}}')
    freezeJson(value)
    expect(Object.isFrozen(Object.getOwnPropertyDescriptor(value, '__proto__')?.value.a)).toBe(true)
    expect(Object.isFrozen(Object.prototype)).toBe(false)
  })
})
