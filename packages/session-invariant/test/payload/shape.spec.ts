import { describe, expect, it } from 'vitest'
import { exactly, flag, list, literal, name, number, oneOf, record, tagged, text } from '../../src/payload/shape.js'

describe('shapes', () => {
  it('check single values', () => {
    expect([text(''), flag(false), number(0.5), record({}), literal('a', 'b')('b')]).toEqual(Array(5).fill(undefined))
    expect(text(5)).toEqual({ path: '', expected: 'a string', found: '5' })
    expect(flag(null)?.found).toBe('null')
    expect(record([])?.found).toBe('a list')
    expect(name('')?.expected).toBe('a non-empty string')
  })

  it('name the path of what is wrong', () => {
    const shape = exactly({ a: list(exactly({ b: text })) })
    expect(shape({ a: [{ b: 'x' }] })).toBeUndefined()
    expect(shape({ a: [{ b: 'x' }, { b: 1 }] })?.path).toBe('.a[1].b')
    expect(shape({ a: {} })?.path).toBe('.a')
  })

  it('refuse missing and surplus fields of an object', () => {
    const shape = exactly({ a: text }, { b: text })
    expect([shape({ a: '' }), shape({ a: '', b: '' })]).toEqual([undefined, undefined])
    expect(shape({ b: '' })).toEqual({ path: '.a', expected: 'a value', found: 'none' })
    expect(shape({ a: '', c: {} })).toEqual({ path: '.c', expected: 'no such field', found: 'an object' })
    expect(shape(JSON.parse('{"a":"","__proto__":1}'))?.path).toBe('.__proto__')
    expect(exactly({ toString: text })({})?.path).toBe('.toString')
  })

  it('let unknown tags through, and nothing without a tag', () => {
    const shape = tagged('type', { a: exactly({ type: name }) })
    expect([shape({ type: 'a' }), shape({ type: 'z', more: 1 })]).toEqual([undefined, undefined])
    expect(shape({ type: 'a', more: 1 })?.path).toBe('.more')
    expect(shape({ type: 'constructor', more: 1 })).toBeUndefined()
    expect(shape({ type: 5 })?.path).toBe('.type')
    expect(shape('a')?.expected).toBe('an object')
  })

  it('take exactly one of several fields', () => {
    const shape = oneOf({ a: exactly({ a: text }), b: exactly({ b: flag }) })
    expect([shape({ a: '' }), shape({ b: true })]).toEqual([undefined, undefined])
    expect(shape({ a: '', b: true })).toEqual({ path: '', expected: 'exactly one of a and b', found: 'both' })
    expect(shape({})?.found).toBe('none')
    expect(shape({ b: 1 })?.path).toBe('.b')
    expect(shape(null)?.expected).toBe('an object')
  })
})
