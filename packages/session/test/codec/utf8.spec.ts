import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8, LineEncoder } from '../../src/codec/utf8.js'
import { bytes, hostileText } from './arbitraries.js'

const line = fc.oneof(
  { weight: 8, arbitrary: hostileText },
  fc.tuple(hostileText, fc.integer({ min: 500, max: 4000 })).map(([text, times]) => text.repeat(times)),
)

describe('LineEncoder', () => {
  it('encodes every line as if alone, whatever follows', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.nat(40), (lines, following) => {
        const encoder = new LineEncoder()
        const bodies = lines.map(text => encoder.encode(text, following))
        for (const [index, body] of bodies.entries()) expect(Buffer.compare(body, bytes(lines[index]!))).toBe(0)
      }),
    )
  })
})

describe('decodeUtf8', () => {
  it('keeps a byte order mark and refuses other bytes', () => {
    expect(decodeUtf8(bytes('\ufeffa'))).toBe('\ufeffa')
    expect(() => decodeUtf8(Uint8Array.of(0xff))).toThrow(TypeError)
  })
})
