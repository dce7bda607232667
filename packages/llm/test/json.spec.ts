import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonEquals } from '../src/json.js'

/** JSON text with the keys of every object sorted. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

describe('jsonEquals', () => {
  it('does not depend on the order of object keys at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(jsonEquals(value, reversed(value))).toBe(true)
      }),
    )
  })

  it('agrees with the comparison of canonical texts', () => {
    const small = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, 0, 1, '', 'a', true),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }),
      ),
    })).value
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(jsonEquals(a, b)).toBe(canonical(a) === canonical(b))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: undefined, c: 2 }],
    [{ a: null }, {}],
    [{ 0: 'a' }, ['a']],
    [['a'], { 0: 'a' }],
    [{}, []],
    [null, {}],
    [{}, null],
    ['1', 1],
    [0, false],
    [{ toString: 1 }, {}],
    [{ a: 1 }, JSON.parse('{"__proto__":1}')],
  ])('tells %j and %j apart', (a, b) => {
    expect(jsonEquals(a, b)).toBe(false)
    expect(jsonEquals(b, a)).toBe(false)
  })

  it('takes an undefined property as absent, on either side', () => {
    expect(jsonEquals({ a: 1, b: undefined }, { a: 1 })).toBe(true)
    expect(jsonEquals({ a: 1 }, { b: undefined, a: 1 })).toBe(true)
    expect(jsonEquals({ a: undefined }, { b: undefined })).toBe(true)
  })

  it('does not take an inherited property for an own one', () => {
    expect(jsonEquals({ constructor: Object }, { x: 1 })).toBe(false)
    expect(jsonEquals(JSON.parse('{"__proto__":{}}'), JSON.parse('{"__proto__":{}}'))).toBe(true)
  })
})
