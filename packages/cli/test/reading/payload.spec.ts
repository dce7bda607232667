import { describe, expect, it } from 'vitest'
import { field, listField, textField } from '../../src/reading/payload.js'

describe('fields of payloads that nobody checked', () => {
  const payload = JSON.parse('{"a":{"b":["x"],"c":"text","n":7},"__proto__":{"polluted":1}}')

  it('are read where they are', () => {
    expect(field(payload, 'a', 'n')).toBe(7)
    expect(field(payload)).toBe(payload)
    expect(textField(payload, 'a', 'c')).toBe('text')
    expect(textField(payload, 'a', 'b')).toBe('["x"]')
    expect(listField(payload, 'a', 'b')).toEqual(['x'])
  })

  it('are nothing where they are not, whatever is there instead', () => {
    for (const value of [undefined, null, 7, 'text', true, []]) expect(field(value, 'a')).toBeUndefined()
    expect(field({}, 'toString')).toBeUndefined()
    expect(textField(payload, 'x', 'y')).toBe('')
    expect(listField(payload, 'a', 'c')).toEqual([])
  })
})
