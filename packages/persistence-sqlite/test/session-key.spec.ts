import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyOf, textOfKey } from '../src/session-key.js'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '\ud800', '\udc00', '\uffff', '🙂') }),
)

describe('keyOf', () => {
  it('gives any text back, lone surrogates and all', () => {
    fc.assert(
      fc.property(text, each => {
        expect(textOfKey(keyOf(each))).toBe(each)
      }),
    )
  })

  it('orders keys as JavaScript orders the texts', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const order = left < right ? -1 : left > right ? 1 : 0
        expect(Buffer.compare(keyOf(left), keyOf(right))).toBe(order)
      }),
    )
  })
})
