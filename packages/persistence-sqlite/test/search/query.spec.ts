import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatQuery, parseQuery } from '../../src/search/query.js'

const formatted = (query: string) => formatQuery(parseQuery(query))

describe('parseQuery', () => {
  it.each([
    ['one word', 'Fox', '("fox")'],
    ['words that all must occur', 'quick fox', '("quick") AND ("fox")'],
    ['a phrase', '"quick brown" fox', '("quick brown") AND ("fox")'],
    ['a beginning', 'qui*', '("qui" *)'],
    ['a phrase that ends with a beginning', '"quick bro"*', '("quick bro" *)'],
    ['alternatives', 'fox OR dog cat', '("fox" OR "dog") AND ("cat")'],
    ['three alternatives', 'a OR b OR c', '("a" OR "b" OR "c")'],
    ['an exclusion', 'fox -dog -"brown cat"', '(("fox")) NOT ("dog" OR "brown cat")'],
    ['a word with separators as a phrase', 'src/main.ts', '("src main ts")'],
    ['a word in two characters as one pair', '漢字', '("漢字")'],
    ['a longer one as the pairs that follow each other', '漢字検索', '("漢字 字検 検索")'],
    ['one character as the beginning of a pair', '字', '("字" *)'],
    ['a run that ends inside a phrase with its last character', '"漢字 abc"', '("漢字 字 abc")'],
    ['a run behind a word', 'abc漢字', '("abc 漢字")'],
    ['the operators of the index as words', 'NOT a AND NEAR', '("not") AND ("a") AND ("and") AND ("near")'],
    ['a quoted OR as a word', '"OR"', '("or")'],
    ['a lower-case or as a word', 'a or b', '("a") AND ("or") AND ("b")'],
    ['a dash inside a word as a separator', 'well-known', '("well known")'],
    ['punctuation alone as nothing', 'fox - * ! "…"', '("fox")'],
    ['a column filter as a phrase', 'terms:fox', '("terms fox")'],
  ])('reads %s', (_, query, expected) => {
    expect(formatted(query)).toBe(expected)
  })

  it.each([
    ['nothing', '', 'a word to look for'],
    ['only spaces', ' \t\n', 'a word to look for'],
    ['only punctuation', '% _ * "?"', 'a word to look for'],
    ['only an exclusion', '-fox', 'a word to look for'],
    ['an open quotation mark', 'a "b c', 'a closing quotation mark, found none after character 3'],
    ['OR at the start', 'OR a', 'a word before OR, found OR at character 1'],
    ['OR at the end', 'a OR', 'a word after OR, found the end'],
    ['OR twice', 'a OR OR b', 'a word before OR, found OR at character 6'],
    ['OR before an exclusion', 'a OR -b', 'a word after OR, found an exclusion at character 6'],
    ['OR after an exclusion', 'a -b OR c', 'a word before OR, found OR at character 6'],
    ['a very long query', 'x '.repeat(2_000), 'a query of at most'],
    ['very many words', 'x '.repeat(51), 'at most 50 words and phrases, found 51'],
  ])('refuses %s and says what is wrong', (_, query, message) => {
    expect(() => parseQuery(query)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', path: 'query' }))
    expect(() => parseQuery(query)).toThrow(message)
  })

  it('lets nothing of any query through as syntax', () => {
    const unit = fc.constantFrom(...'ab漢字 "*-+:(){}^\'\\,.%_;OR\u0000\ud800')
    const query = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(query, given => {
        let text: string
        try {
          text = formatted(given)
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_CONFIG' })
          return
        }
        const phrase = '"[\\p{L}\\p{N}\\p{M}]+(?: [\\p{L}\\p{N}\\p{M}]+)*"(?: \\*)?'
        const group = `\\(${phrase}(?: OR ${phrase})*\\)`
        const groups = `${group}(?: AND ${group})*`
        expect(text).toMatch(new RegExp(`^(?:${groups}|\\(${groups}\\) NOT ${group})$`, 'u'))
      }),
    )
  })
})
