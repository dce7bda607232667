import { describe, expect, it } from 'vitest'
import { describeFound, invalidRow } from '../../src/codec/invalid-row.js'

describe('invalidRow', () => {
  it('is an INVALID_EVENT with only the places that are known', () => {
    expect(invalidRow('a', 'b', { seq: 3, path: 'data' })).toMatchObject({
      code: 'INVALID_EVENT',
      seq: 3,
      path: 'data',
    })
    expect(invalidRow('a', 'b', { seq: undefined })).not.toHaveProperty('seq')
    const cause = new Error('why')
    expect(invalidRow('a', 'b', { cause }).cause).toBe(cause)
  })
})

describe('describeFound', () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [true, 'true'],
    [-0, '-0'],
    [1.5, '1.5'],
    ['a"b', '"a\\"b"'],
    [[1], 'a list'],
    [{}, 'an object'],
  ])('says %j as %s', (value, words) => {
    expect(describeFound(value)).toBe(words)
  })

  it('cuts a long text', () => {
    expect(describeFound('x'.repeat(10_000)).length).toBeLessThan(80)
  })
})
