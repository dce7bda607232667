import { describe, expect, it } from 'vitest'
import { field, isRecord, textField } from '../src/json-value.js'

describe('json values', () => {
  it('tell objects from lists and null', () => {
    expect([isRecord({}), isRecord([]), isRecord(null), isRecord('x')]).toEqual([true, false, false, false])
  })

  it('give own fields of whatever they are asked for', () => {
    expect(field({ a: 1 }, 'a')).toBe(1)
    expect([field({}, 'toString'), field(null, 'a'), field([1], 'length'), field('x', 'length')]).toEqual(
      Array(4).fill(undefined),
    )
    expect([textField({ a: 'x' }, 'a'), textField({ a: 1 }, 'a')]).toEqual(['x', undefined])
  })
})
