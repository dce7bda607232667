import { describe, expect, it } from 'vitest'
import {
  hasKeys,
  isEventType,
  isInteger,
  isNatural,
  isObject,
  requireInteger,
  requireKnownKeys,
  requireNatural,
  requireObject,
  requireString,
} from '../../src/codec/line-guards.js'
import { expectError } from '../support/expect-error.js'

describe('line guards', () => {
  it('tell objects from lists and null', () => {
    expect([{}, [], null, 'x'].map(isObject)).toEqual([true, false, false, false])
  })

  it('tell integers that stay exact from those that do not', () => {
    expect([0, -3, 2 ** 53 - 1].every(isInteger)).toBe(true)
    expect([-0, 0.5, 2 ** 53, Number.NaN, '1', null].some(isInteger)).toBe(false)
    expect([0, 5].every(isNatural)).toBe(true)
    expect([-1, -0].some(isNatural)).toBe(false)
  })

  it('tell event types from tags of the storage', () => {
    expect(['a/b', 'plugin/sub/fact'].every(isEventType)).toBe(true)
    expect(['commit', '', '/', '/a', 'a/', undefined, ['a/b']].some(isEventType)).toBe(false)
  })

  it('compare keys with their order', () => {
    expect(hasKeys({ a: 1, b: 2 }, ['a', 'b'])).toBe(true)
    for (const other of [{ b: 2, a: 1 }, { a: 1 }, { a: 1, b: 2, c: 3 }, {}])
      expect(hasKeys(other, ['a', 'b'])).toBe(false)
  })

  it('give back what they require', () => {
    const object = {}
    expect(requireObject(object, 'p', 1)).toBe(object)
    expect([requireInteger(-1, 'p', 1), requireNatural(1, 'p', 1), requireString('', 'p', 1)]).toEqual([-1, 1, ''])
    requireKnownKeys({ a: 1 }, new Set(['a', 'b']), 'p.', 1)
  })

  it('name the place of what is not as required', () => {
    const refusals = [
      () => requireObject([], 'p', 4),
      () => requireInteger('1', 'p', 4),
      () => requireNatural(-1, 'p', 4),
      () => requireString(null, 'p', 4),
      () => requireKnownKeys({ x: 1 }, new Set(['a']), 'p.', 4),
    ]
    const places = refusals
      .map(refusal => expectError('INVALID_EVENT', refusal))
      .map(({ seq, path }) => `${seq} ${path}`)
    expect(places).toEqual(['4 p', '4 p', '4 p', '4 p', '4 p.x'])
  })
})
