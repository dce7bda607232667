import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bold, dim, fit, pad, paint, red, type Text, textWidth } from '../../src/terminal/text.js'

const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ maxLength: 8 }).map(bold))
const text: fc.Arbitrary<Text> = fc.array(fc.oneof(piece, fc.array(piece, { maxLength: 3 })), { maxLength: 5 })

describe('paint', () => {
  it('shows what is in the text and lets only its own colours through', () => {
    const line = ['\u001b[31m', red('danger\n'), dim('')]
    expect(paint(line, false)).toBe('\\x1b[31mdanger\\n')
    expect(paint(line, true)).toBe('\\x1b[31m\u001b[31mdanger\\n\u001b[39m')
  })

  it('is one line, whatever the text holds', () => {
    fc.assert(
      fc.property(text, line => {
        expect(paint(line, true)).not.toMatch(/[\r\n]/)
      }),
    )
  })
})

describe('textWidth', () => {
  it('measures what is shown and not the colours', () => {
    expect(textWidth(['a', bold('漢'), [red('\n')]])).toBe(5)
    fc.assert(
      fc.property(text, line => {
        expect(textWidth(line)).toBe(textWidth(paint(line, false)))
      }),
    )
  })
})

describe('fit', () => {
  it('cuts at the end or at the start and says so', () => {
    expect(paint(fit('abcdef', 4), false)).toBe('abc…')
    expect(paint(fit('abcdef', 4, 'start'), false)).toBe('…def')
    expect(paint(fit(['ab', bold('cdef')], 4), true)).toBe('ab\u001b[1mc\u001b[22m…')
    expect(paint(fit('abcd', 4), false)).toBe('abcd')
    expect(paint(fit('abc', 1), false)).toBe('…')
    expect(paint(fit('abc', 0), false)).toBe('')
  })

  it('leaves a half of no wide character, so that a column stays empty', () => {
    expect(paint(fit('漢字漢字', 4), false)).toBe('漢…')
  })

  it('never takes more than there is room for', () => {
    fc.assert(
      fc.property(text, fc.nat(30), fc.constantFrom('end' as const, 'start' as const), (line, columns, cut) => {
        const fitted = fit(line, columns, cut)
        expect(textWidth(fitted)).toBeLessThanOrEqual(columns)
        if (textWidth(line) <= columns) expect(paint(fitted, false)).toBe(paint(line, false))
      }),
    )
  })
})

describe('pad', () => {
  it('fills up to the columns on the side that is free', () => {
    expect(paint(pad('漢', 4), false)).toBe('漢  ')
    expect(paint(pad(red('7'), 3, 'right'), false)).toBe('  7')
    expect(paint(pad('long', 2), false)).toBe('long')
  })

  it('gives every text the same width where it is not wider', () => {
    fc.assert(
      fc.property(text, line => {
        expect(textWidth(pad(line, 200))).toBe(Math.max(200, textWidth(line)))
      }),
    )
  })
})
