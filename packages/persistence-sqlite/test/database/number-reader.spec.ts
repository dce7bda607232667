import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NumberReader } from '../../src/database/number-reader.js'

describe('NumberReader', () => {
  it('reads any whole numbers back, and the text behind them', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), fc.string(), (numbers, text) => {
        const bytes = new TextEncoder().encode(numbers.map(each => `${each} `).join('') + text)
        const reader = new NumberReader(bytes)
        // A sum never starts from `-0`, and `-0` is never written.
        expect(numbers.map(() => reader.next() + 0)).toEqual(numbers.map(each => each + 0))
        expect(reader.text(bytes.length)).toBe(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)),
        )
      }),
    )
  })

  it('ends with the bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array(), bytes => {
        const reader = new NumberReader(Uint8Array.from(bytes))
        for (let count = 0; count <= bytes.length; count++) reader.next()
        expect(reader.at).toBeGreaterThanOrEqual(bytes.length)
      }),
    )
  })
})
