import { describe, expect, it } from 'vitest'
import { describeThrown, describeValue } from '../src/describe.js'
import { revoked, textless } from './support/hostile.js'

describe('describeValue', () => {
  it.each<[unknown, string]>([
    [undefined, 'nothing'],
    [null, 'null'],
    [true, 'true'],
    [-0, '-0'],
    [1.5, '1.5'],
    [5n, '5'],
    [Symbol('s'), 'Symbol(s)'],
    ['a"b', '"a\\"b"'],
    [[1], 'a list'],
    [{}, 'an object'],
    [textless, 'an object'],
    [Object.create(null), 'an object'],
    [Object.assign(() => 1, { toString: () => expect.unreachable() }), 'a function'],
  ])('says what it is: case %#', (value, words) => {
    expect(describeValue(value)).toBe(words)
  })

  it('says no more of what throws at every touch', () => {
    expect(describeValue(revoked())).toBe('an object')
  })

  it('cuts a long text', () => {
    expect(describeValue('x'.repeat(10_000)).length).toBeLessThan(80)
    expect(describeValue(Symbol('x'.repeat(10_000))).length).toBeLessThan(80)
  })
})

describe('describeThrown', () => {
  it('gives the text of an error and of any other value, and never throws', () => {
    expect(describeThrown(new TypeError('why'))).toBe('TypeError: why')
    expect(describeThrown('why')).toBe('why')
    expect(describeThrown(textless)).toBe('a value without a text')
    expect(describeThrown(Object.create(null))).toBe('a value without a text')
  })
})
