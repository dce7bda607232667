import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTypeName, parseTypeName } from '../../src/database/type-name.js'

describe('formatTypeName', () => {
  it('leaves usual names alone', () => {
    for (const name of ['assistant/chunk', 'text-chunks', 'my plugin/Ereignis', '插件/事件']) {
      expect(formatTypeName(name)).toBe(name)
    }
  })

  it('gives any name back, and makes text of it that every database keeps', () => {
    const unit = fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\u0000', '\ud800', '\u2028', '/'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.string({ unit }), name => {
        const text = formatTypeName(name)
        expect(parseTypeName(text)).toBe(name)
        expect(text.isWellFormed()).toBe(true)
        expect([...text].every(each => each >= ' ')).toBe(true)
      }),
    )
  })
})
