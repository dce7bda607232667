import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/query.js'
import { makeSnippet } from '../../src/search/snippet.js'

function found(text: string, query: string) {
  const { snippet, matches } = makeSnippet(text.normalize('NFC'), parseQuery(query))
  return { snippet, found: matches.map(([start, length]) => snippet.slice(start, start + length)) }
}

describe('makeSnippet', () => {
  it('shows a short text whole, with every find', () => {
    expect(found('The quick brown fox, the FOX.', 'fox the')).toEqual({
      snippet: 'The quick brown fox, the FOX.',
      found: ['The', 'fox', 'the', 'FOX'],
    })
  })

  it('cuts a long text around what was found', () => {
    const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`
    const { snippet, found: words } = found(text, 'needle')
    expect(words).toEqual(['needle'])
    expect(snippet).toMatch(/^…(before )+needle (after )+.*…$/)
    expect(snippet.length).toBeLessThan(170)
  })

  it('prefers the place where most of the query stands together', () => {
    const text = `one ${'x '.repeat(200)} one two ${'x '.repeat(200)} two`
    expect(found(text, 'two one').found).toEqual(['one', 'two'])
  })

  it.each([
    ['a word inside a run', '我们使用全文检索', '全文', ['全文']],
    ['one character', '検索と検査', '検', ['検', '検']],
    ['the last character of a run', '全文検索', '索', ['索']],
    ['a longer word', '東京都庁と京都', '京都', ['京都', '京都']],
    ['a phrase over the border of two scripts', '用ESLint检查', '"ESLint检查"', ['ESLint检查']],
    ['a beginning', 'parse parser sparse', 'pars*', ['parse', 'parser']],
    ['a path', 'see src/main.ts:4', 'main.ts', ['main.ts']],
    ['what differs in case, accent and width', 'Ｃａｆé', 'CAFE', ['Ｃａｆé']],
    ['overlapping finds once', '東京都', '東京 京都', ['東京', '都']],
  ])('finds %s', (_, text, query, expected) => {
    expect(found(text, query).found).toEqual(expected)
  })

  it('never marks what is excluded', () => {
    expect(found('one two', 'one -three').found).toEqual(['one'])
  })

  it('shows the beginning of a text that has none of it', () => {
    expect(found(`${'x '.repeat(200)}`, 'absent').found).toEqual([])
    expect(found('short', 'absent').snippet).toBe('short')
  })

  it('shows a find whole, however long it is', () => {
    const phrase = 'word '.repeat(80).trim()
    expect(found(`${'x '.repeat(100)}${phrase} end`, `"${phrase}"`).found).toEqual([phrase])
  })

  it('cuts no character in two and marks only what it shows', () => {
    const unit = fc.constantFrom('🙂', '漢', '字', 'word', ' ', 'é', '\ud800')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), text => {
        const { snippet, matches } = makeSnippet(text.normalize('NFC'), parseQuery('word 漢字 é'))
        expect(text.normalize('NFC').includes(snippet.replace(/^…|…$/g, ''))).toBe(true)
        if (text.isWellFormed()) expect(snippet.isWellFormed()).toBe(true)
        let end = 0
        for (const [start, length] of matches) {
          expect(start).toBeGreaterThanOrEqual(end)
          expect(length).toBeGreaterThan(0)
          end = start + length
        }
        expect(end).toBeLessThanOrEqual(snippet.length)
      }),
    )
  })
})
