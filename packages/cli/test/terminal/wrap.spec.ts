import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { width } from '../../src/terminal/width.js'
import { linesOf } from '../../src/terminal/wrap.js'

describe('linesOf', () => {
  it('breaks where the text does and before words that do not fit', () => {
    expect(linesOf('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
    expect(linesOf('one two', 7)).toEqual(['one two'])
    expect(linesOf('a\r\nb\n\nc')).toEqual(['a', 'b', '', 'c'])
    expect(linesOf('')).toEqual([''])
  })

  it('breaks words that are longer than a line, by the columns that they take', () => {
    expect(linesOf('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
    expect(linesOf('漢字漢字', 5)).toEqual(['漢字', '漢字'])
    expect(linesOf('漢字', 1)).toEqual(['漢', '字'])
  })

  it('makes spaces of tabs and shows other control characters', () => {
    expect(linesOf('\tif\u001b[1m')).toEqual(['    if\\x1b[1m'])
    expect(linesOf('progress\rdone')).toEqual(['progress\\rdone'])
  })

  it('breaks a line of megabytes', () => {
    expect(linesOf('x'.repeat(3_000_000), 100)).toHaveLength(30_000)
    expect(linesOf('漢字 '.repeat(200_000), 100)).toHaveLength(10_000)
    expect(linesOf(`e${'\u0301'.repeat(300)}f`.repeat(3), 2)).toHaveLength(3)
  })

  it('loses nothing but space, and keeps within the columns', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, columns) => {
        const lines = linesOf(text, columns)
        const squeeze = (parts: readonly string[]) => parts.join('').replaceAll(' ', '')
        expect(squeeze(lines)).toBe(squeeze(linesOf(text)))
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns)
      }),
    )
  })
})
