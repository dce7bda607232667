import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findValues, stringEnd, valueEnd } from '../../src/source/values.js'

function found(text: string): unknown[] {
  return findValues(text).map(part => ('value' in part ? part.value : `damage ${text.slice(part.start, part.end)}`))
}

describe('findValues', () => {
  it('reads values that are glued together', () => {
    expect(found('{"a":1}{"b":"}{"} [2]')).toEqual([{ a: 1 }, { b: '}{' }, [2]])
  })

  it('keeps a whole value before a damaged one', () => {
    expect(found('{"a":1}{"b":')).toEqual([{ a: 1 }, 'damage {"b":'])
  })

  it('finds the record that was written behind the stub of a torn one', () => {
    expect(found('{"type":"user","text":"hel{"type":"user","text":"hello"}')).toEqual([
      'damage {"type":"user","text":"hel',
      { type: 'user', text: 'hello' },
    ])
  })

  it('does not take a part of a damaged value for a record', () => {
    expect(found('ser","message":{"role":"user"},"x":{"y":1}}')).toEqual([
      'damage ser","message":{"role":"user"},"x":{"y":1}}',
    ])
  })

  it('gives text that is no value at all as damage', () => {
    expect(found('hello')).toEqual(['damage hello'])
    expect(found('   ')).toEqual([])
  })

  it('reads any glued values back', () => {
    const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 4 }), fc.constantFrom('', ' ', '\t'), (values, gap) => {
        const texts = values.map(item => JSON.stringify(item))
        expect(found(texts.join(gap)).map(item => JSON.stringify(item))).toEqual(
          texts.map(text => JSON.stringify(JSON.parse(text))),
        )
      }),
      { numRuns: 60 },
    )
  })
})

describe('valueEnd', () => {
  it('ends at the bracket that closes the first, whatever strings hold', () => {
    const text = '{"a":"\\"}","b":[{}]} tail'
    expect(text.slice(0, valueEnd(text, 0))).toBe('{"a":"\\"}","b":[{}]}')
  })

  it('is undefined where no value begins, or none ends', () => {
    expect(valueEnd('x', 0)).toBeUndefined()
    expect(valueEnd('{"a":"', 0)).toBeUndefined()
  })
})

describe('stringEnd', () => {
  it('passes over escaped quotes, and stops at the end of a text that breaks off', () => {
    expect(stringEnd('"a\\"b\\\\"', 0)).toBe(7)
    expect(stringEnd('"a\\"', 0)).toBe(4)
  })
})
