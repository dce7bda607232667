import { describe, expect, it } from 'vitest'
import { amount, bytes, isUsed, number, tokens } from '../../src/format/number.js'

describe('number', () => {
  it('sets thousands apart', () => {
    expect([0, 999, 1_000, 1_234_567, -1_000].map(number)).toEqual(['0', '999', '1,000', '1,234,567', '-1,000'])
  })
})

describe('amount', () => {
  it('counts one and many', () => {
    expect([0, 1, 2_000].map(count => amount(count, 'event'))).toEqual(['0 events', '1 event', '2,000 events'])
  })
})

describe('bytes', () => {
  it('keeps to three figures or so', () => {
    expect([0, 999, 1_000, 12_345, 99_949, 99_950, 999_499, 999_500, 5_000_000_000_000_000].map(bytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '12.3 kB',
      '99.9 kB',
      '100 kB',
      '999 kB',
      '1.0 MB',
      '5000 TB',
    ])
  })
})

describe('tokens', () => {
  it('names what there is of each kind', () => {
    expect(tokens({ inputTokens: 1_200, outputTokens: 3 })).toBe('1,200 in, 3 out')
    expect(
      tokens({ inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 }),
    ).toBe('1 in, 3 cached, 4 to cache, 2 out, 5 reasoning')
  })

  it('counts as used when any of the kinds is', () => {
    expect(isUsed({ inputTokens: 0, outputTokens: 0 })).toBe(false)
    expect(isUsed({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 1 })).toBe(true)
  })
})
