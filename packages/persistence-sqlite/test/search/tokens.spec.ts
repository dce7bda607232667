import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../../src/search/tokens.js'

const terms = (text: string) => [...tokenize(text.normalize('NFC'))].map(({ term }) => term)

describe('tokenize', () => {
  it('cuts words at everything but letters and digits', () => {
    expect(terms("Don't call parse_json(x2)!")).toEqual(['don', 't', 'call', 'parse', 'json', 'x2'])
  })

  it('folds case, accents, width and ligatures', () => {
    expect(terms('École ÉCOLE e\u0301cole ＦＵＬＬ ﬁne İstanbul')).toEqual([
      'ecole',
      'ecole',
      'ecole',
      'full',
      'fine',
      'istanbul',
    ])
  })

  it('makes overlapping pairs of scripts without spaces, and the last character once more', () => {
    expect(terms('漢字検索')).toEqual(['漢字', '字検', '検索', '索'])
    expect(terms('検索する')).toEqual(['検索', '索す', 'する', 'る'])
    expect(terms('학교에서')).toEqual(['학교', '교에', '에서', '서'].map(each => each.normalize('NFKD')))
    expect(terms('ไทย')).toEqual(['ไท', 'ทย', 'ย'])
    expect(terms('字')).toEqual(['字'])
  })

  it('separates scripts that meet', () => {
    expect(terms('用ESLint检查')).toEqual(['用', 'eslint', '检查', '查'])
  })

  it('reads half-width and full-width katakana alike', () => {
    expect(terms('ｶﾞｲﾄﾞ')).toEqual(terms('ガイド'))
  })

  it('tells where each term stands', () => {
    const text = 'a 漢字\u3099 Ｂ'
    const found = [...tokenize(text)].map(({ start, end, firstEnd, kind }) => ({
      text: text.slice(start, end),
      first: text.slice(start, firstEnd),
      kind,
    }))
    expect(found).toEqual([
      { text: 'a', first: 'a', kind: 'word' },
      { text: '漢字\u3099', first: '漢', kind: 'pair' },
      { text: '字\u3099', first: '字\u3099', kind: 'last' },
      { text: 'Ｂ', first: 'Ｂ', kind: 'word' },
    ])
  })

  it('cuts over-long terms, never inside a character', () => {
    const [term] = terms('x'.repeat(1_000))
    expect(term!.length).toBeLessThan(100)
    expect(terms(`x${'𝒳'.repeat(100)}`)[0]!.isWellFormed()).toBe(true)
  })

  it('makes terms of letters, digits and marks only, in order, of any text', () => {
    const unit = fc.oneof(
      fc.constantFrom(...'aZ9_ "*-(漢字ｶﾞ한ไ\u0301\u0345\ufdfa½㎏ﬁ\ud800\udc00🙂\u0000'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.string({ unit }), given => {
        const text = given.normalize('NFC')
        let start = -1
        for (const token of tokenize(text)) {
          expect(token.term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
          expect(token.start).toBeGreaterThan(start)
          expect(token.firstEnd).toBeGreaterThan(token.start)
          expect(token.end).toBeGreaterThanOrEqual(token.firstEnd)
          expect(token.end).toBeLessThanOrEqual(text.length)
          start = token.start
        }
      }),
    )
  })

  it('takes time in proportion to the length of the text', () => {
    expect(terms('漢字 word '.repeat(20_000))).toHaveLength(60_000)
    expect(terms('\u0301'.repeat(50_000)).length).toBeLessThan(2)
  })
})
