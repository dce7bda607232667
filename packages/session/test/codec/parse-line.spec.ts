import { describe, expect, it } from 'vitest'
import { parseLine } from '../../src/codec/parse-line.js'
import { expectError } from '../support/expect-error.js'
import { bytes } from './arbitraries.js'

describe('parseLine', () => {
  it('gives the object of a line, with own keys of any name', () => {
    const line = parseLine(bytes('{"__proto__":{"a":1},"b":"\\ud800"}'))
    expect(Object.keys(line)).toEqual(['__proto__', 'b'])
    expect(Object.getPrototypeOf(line)).toBe(Object.prototype)
    expect(line.b).toBe('\ud800')
  })

  it.each([
    ['nothing', bytes('')],
    ['half an object', bytes('{"a":')],
    ['two objects', bytes('{}{}')],
    ['a list', bytes('[]')],
    ['null', bytes('null')],
    ['a number', bytes('1')],
    ['a line feed', bytes('{\n}')],
    ['a byte order mark', bytes('\ufeff{}')],
    ['a NUL', bytes('{}\0')],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['half a character', Uint8Array.of(0x22, 0xe4, 0xb8, 0x22)],
    ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ])('refuses %s', (_, body) => {
    expect(expectError('INVALID_EVENT', () => parseLine(body, 3)).seq).toBe(3)
  })

  it('names no seq where none is known', () => {
    expect(expectError('INVALID_EVENT', () => parseLine(bytes('x')))).not.toHaveProperty('seq')
  })
})
