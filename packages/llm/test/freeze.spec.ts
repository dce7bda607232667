import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frozenCopy } from '../src/freeze.js'
import { firstUnfrozen } from './deep-frozen.js'

const nested = (depth: number): unknown => {
  let value: unknown = 0
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value }
  return value
}

describe('frozenCopy', () => {
  it('gives an equal value that is frozen all the way down and shares no object with its source', () => {
    fc.assert(
      fc.property(fc.jsonValue(), source => {
        const copy = frozenCopy(source)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(source))
        expect(firstUnfrozen(copy)).toBeUndefined()
        if (typeof source === 'object' && source !== null) {
          expect(copy).not.toBe(source)
          expect(Object.isFrozen(source)).toBe(false)
        }
      }),
    )
  })

  it('leaves nested objects of the caller open to change, and is not changed with them', () => {
    const source = { list: [{ text: 'before' }] }
    const copy = frozenCopy(source)
    source.list[0]!.text = 'after'
    source.list.push({ text: 'more' })
    expect(copy).toEqual({ list: [{ text: 'before' }] })
  })

  it('takes an undefined property as absent', () => {
    expect(Object.keys(frozenCopy({ a: undefined, b: null, c: 0 }))).toEqual(['b', 'c'])
  })

  it('keeps an own __proto__ key as a key', () => {
    const copy = frozenCopy(JSON.parse('{"__proto__":{"admin":true},"a":1}'))
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(copy.admin).toBeUndefined()
    expect(firstUnfrozen(copy)).toBeUndefined()
  })

  it('takes an object without a prototype as a plain one', () => {
    const copy = frozenCopy(Object.assign(Object.create(null), { a: 1 }))
    expect(copy).toStrictEqual({ a: 1 })
  })

  it.each([new Date(0), new Map(), /x/, new Uint8Array(1), new (class Point {})(), Promise.resolve()])(
    'refuses an object that it could not copy faithfully (%#)',
    exotic => {
      expect(() => frozenCopy({ list: [exotic] })).toThrow(`found ${exotic.constructor.name}`)
    },
  )

  it('copies nesting of 1,000 and refuses one level more', () => {
    expect(frozenCopy(nested(1000))).toEqual(nested(1000))
    expect(() => frozenCopy(nested(1001))).toThrow(TypeError)
  })

  it('refuses bottomless nesting and cycles without exhausting the stack', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = [cycle]
    expect(() => frozenCopy(cycle)).toThrow(/nesting of at most 1000/)
    expect(() => frozenCopy(nested(100_000))).toThrow(/nesting of at most 1000/)
  })
})
