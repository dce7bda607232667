import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf } from '../../src/search/terms.js'
import { tokenize } from '../../src/search/tokens.js'

describe('termsOf', () => {
  it('gives what the tokens of the text give', () => {
    const unit = fc.constantFrom(...'aZ9_ .-"\n\r\t\u0000漢字é\u0301\ud800', 'x'.repeat(65), 'K'.repeat(64))
    fc.assert(
      fc.property(fc.string({ unit }), text => {
        const expected = [...tokenize(text.normalize('NFC'))].map(({ term }) => term).join(' ')
        expect(termsOf(text)).toBe(expected)
      }),
    )
  })

  it('puts one space between two terms and none around them', () => {
    expect(termsOf(' Hello,\n\n (World) \n漢字\n!')).toBe('hello world 漢字 字')
    expect(termsOf('… \n')).toBe('')
  })
})
