import { runInNewContext } from 'node:vm'
import { isJsonValue, MAX_JSON_DEPTH, snapshotJsonValue } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectError } from './support/expect-error.js'

const anyText = fc.string({ unit: fc.nat(0xffff).map(code => String.fromCharCode(code)), maxLength: 8 })
const json = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => (Object.is(value, -0) ? 0 : value)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(anyText, fc.constant('__proto__'), fc.constant('constructor')), tie('value')),
  ),
})).value

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}

function nested(levels: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

describe('snapshotJsonValue', () => {
  it('copies every JSON value to what a round trip through JSON text gives, and freezes it', () => {
    fc.assert(
      fc.property(json, value => {
        const copy = snapshotJsonValue(value)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        expect(copy).toEqual(JSON.parse(JSON.stringify(value)))
        expect(isDeepFrozen(copy)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('leaves the caller’s value alone', () => {
    const value = { list: [{ a: 1 }] }
    const copy = snapshotJsonValue(value)
    value.list[0]!.a = 2
    expect(copy.list[0]!.a).toBe(1)
    expect(Object.isFrozen(value)).toBe(false)
  })

  it('keeps an own __proto__ key as the data it is', () => {
    const copy = snapshotJsonValue(JSON.parse('{"__proto__":{"polluted":true},"x":1}'))
    expect(Object.hasOwn(copy as object, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"x":1}')
  })

  it('takes objects without a prototype, and of another realm, as plain ones', () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    expect(Object.getPrototypeOf(snapshotJsonValue(bare))).toBe(Object.prototype)
    expect(snapshotJsonValue(runInNewContext('({ a: [1, { b: 2 }] })'))).toEqual({ a: [1, { b: 2 }] })
  })

  it('keeps lone surrogates, NUL, U+2028 and key order', () => {
    const value = { b: '\ud800', a: '\u0000\u2028', '\udc00': [] }
    expect(Object.entries(snapshotJsonValue(value))).toEqual(Object.entries(value))
  })

  it('reads every property once', () => {
    let reads = 0
    const value = {
      get a() {
        return ++reads
      },
    }
    expect(snapshotJsonValue(value)).toEqual({ a: 1 })
    expect(reads).toBe(1)
  })

  const sparse: unknown[] = [1]
  sparse[2] = 3
  const hidden = Object.defineProperty({}, 'secret', { value: 1, enumerable: false })
  const cycle: { self?: unknown } = {}
  cycle.self = { list: [cycle] }
  class Point {
    x = 1
  }
  class List extends Array {}
  const refused: [string, unknown, string, string][] = [
    ['a BigInt', { n: 1n }, 'data.n', 'bigint'],
    ['a function', { f() {} }, 'data.f', 'function'],
    ['a symbol', [Symbol('s')], 'data[0]', 'symbol'],
    ['undefined', { a: { b: undefined } }, 'data.a.b', 'undefined'],
    ['undefined at the top', undefined, 'data', 'undefined'],
    ['-0', { content: [{}, {}, { text: -0 }] }, 'data.content[2].text', '-0'],
    ['NaN', [[Number.NaN]], 'data[0][0]', 'NaN'],
    ['Infinity', { 'odd key': Number.POSITIVE_INFINITY }, 'data["odd key"]', 'Infinity'],
    ['a cycle', cycle, 'data.self', 'a cycle'],
    ['a sparse array', { sparse }, 'data.sparse[1]', 'undefined'],
    ['a hole at the end', { a: new Array(3) }, 'data.a[0]', 'undefined'],
    ['an array with an extra property', { a: Object.assign([1], { extra: 1 }) }, 'data.a', 'the property extra'],
    ['an array with a hidden property', [Object.defineProperty([1], 'x', { value: 1 })], 'data[0]', 'the property x'],
    ['an array with a symbol', [Object.assign([], { [Symbol.for('s')]: 1 })], 'data[0]', 'Symbol(s)'],
    ['a Map', { m: new Map() }, 'data.m', 'an instance of Map'],
    ['a Date', { d: new Date(0) }, 'data.d', 'an instance of Date'],
    ['a boxed string', { s: Object('text') }, 'data.s', 'an instance of String'],
    ['bytes', { b: new Uint8Array(2) }, 'data.b', 'an instance of Uint8Array'],
    ['a class instance', { p: new Point() }, 'data.p', 'an instance of Point'],
    ['an array subclass', { l: List.from([1]) }, 'data.l', 'an instance of List'],
    ['an object made from another', { o: Object.create({ a: 1 }) }, 'data.o', 'an'],
    ['a symbol key', { [Symbol('k')]: 1 }, 'data', 'a symbol or non-enumerable key'],
    ['a non-enumerable key', { hidden }, 'data.hidden', 'a symbol or non-enumerable key'],
  ]
  it.each(refused)('refuses %s and names its place', (_, value, path, found) => {
    const error = expectError('NOT_JSON', () => snapshotJsonValue(value, 'data'))
    expect(error.path).toBe(path)
    expect(error.found).toContain(found)
    expect(isJsonValue(value)).toBe(false)
  })

  it('refuses a getter that throws, with its place and its reason', () => {
    const value = {
      a: [
        {
          get b(): number {
            throw new RangeError('no more')
          },
          c: 1,
        },
      ],
    }
    const error = expectError('NOT_JSON', () => snapshotJsonValue(value, 'data'))
    expect(error.path).toBe('data.a[0].b')
    expect(error.found).toContain('no more')
    expect(error.cause).toBeInstanceOf(RangeError)
  })

  it('refuses a proxy whose traps throw', () => {
    const value = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('closed')
        },
      },
    )
    expect(expectError('NOT_JSON', () => snapshotJsonValue({ value }, 'data')).path).toBe('data.value')
  })

  it('takes the deepest nesting allowed and refuses one level more', () => {
    expect(isJsonValue(nested(MAX_JSON_DEPTH))).toBe(true)
    const error = expectError('NOT_JSON', () => snapshotJsonValue(nested(MAX_JSON_DEPTH + 1), 'data'))
    expect(error.expected).toContain('1000 levels')
    expect(error.path).toMatch(/^data(\.value|\[0\]){1000}$/)
  })

  it('refuses nesting far beyond the call stack without overflowing it', () => {
    expectError('NOT_JSON', () => snapshotJsonValue(nested(100_000)))
  })

  it('refuses a huge sparse array at once', () => {
    expectError('NOT_JSON', () => snapshotJsonValue(new Array(2 ** 32 - 1)))
  })
})
