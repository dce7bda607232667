import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible } from '../../src/terminal/visible.js'
import { endOf, startOf, width } from '../../src/terminal/width.js'

describe('width', () => {
  it('counts the columns that a terminal gives to a text', () => {
    expect(width('')).toBe(0)
    expect(width('plain')).toBe(5)
    expect(width('汉字')).toBe(4)
    expect(width('e\u0301')).toBe(1)
    expect(width('👩‍👩‍👧')).toBe(2)
    expect(width('… –')).toBe(3)
  })
})

describe.each([
  { name: 'startOf', cut: startOf, isPart: (text: string, part: string) => text.startsWith(part) },
  { name: 'endOf', cut: endOf, isPart: (text: string, part: string) => text.endsWith(part) },
])('$name', ({ cut, isPart }) => {
  it('takes as much as fits and cuts no character in two', () => {
    const text = '漢👩‍👩‍👧e\u0301x'
    expect(cut(text, 0)).toBe('')
    expect(cut(text, -1)).toBe('')
    expect(cut(text, 99)).toBe(text)
    expect(cut('plain', 2)).toBe(cut === startOf ? 'pl' : 'in')
    expect(cut(text, 4)).toBe(cut === startOf ? '漢👩‍👩‍👧' : '👩‍👩‍👧e\u0301x')
    expect(cut(text, 3)).toBe(cut === startOf ? '漢' : 'e\u0301x')
  })

  it('never takes more columns than there are, nor anything but a part of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (given, columns) => {
        const text = visible(given)
        const part = cut(text, columns)
        expect(width(part)).toBeLessThanOrEqual(columns)
        expect(isPart(text, part)).toBe(true)
        if (width(text) <= columns) expect(part).toBe(text)
      }),
    )
  })
})
