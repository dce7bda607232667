import { describe, expect, it } from 'vitest'
import { findViolations } from '../../src/index.js'
import { seq } from '../../src/rules/seq.js'
import { logOf, raw } from '../support/draft.js'

describe('seq', () => {
  const [first, second, third] = logOf(raw('a/a'), raw('a/b'), raw('a/c'))

  it('accepts increasing numbers', () => {
    expect(findViolations([first!, second!, third!], [seq])).toEqual([])
  })

  it('refuses a number again and a smaller one, and goes on from the highest', () => {
    expect(findViolations([second!, second!, first!, third!], [seq]).map(found => found.found)).toEqual(['1', '0'])
  })
})
