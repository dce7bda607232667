import { describe, expect, it } from 'vitest'
import { count, oneOf, time, timeForms, usage } from '../src/parse-value.js'

describe('count', () => {
  it('takes whole numbers from the least on', () => {
    expect(count('--n')('0')).toBe(0)
    expect(count('--n', 1)('9007199254740991')).toBe(9007199254740991)
  })

  it.each(['-1', '1.5', '1e3', '', ' 1', '0x10', '9007199254740993', '12a', 'NaN'])('refuses %j', given => {
    expect(() => count('--n')(given)).toThrow(usage(`--n takes a whole number from 0, not ${JSON.stringify(given)}`))
  })

  it('refuses less than the least', () => {
    expect(() => count('--n', 1)('0')).toThrow('--n takes a whole number from 1, not "0"')
  })
})

describe('oneOf', () => {
  it('takes one of the words, exactly', () => {
    expect(oneOf('--when', ['auto', 'never'])('never')).toBe('never')
    expect(() => oneOf('--when', ['auto', 'never'])('Never')).toThrow('--when takes one of auto, never, not "Never"')
  })
})

describe('time', () => {
  const now = Date.UTC(2026, 0, 31, 12)
  const parse = time('--since', () => now)

  it('takes ages', () => {
    expect(parse('1s')).toBe(now - 1_000)
    expect(parse('90m')).toBe(now - 5_400_000)
    expect(parse('12h')).toBe(Date.UTC(2026, 0, 31))
    expect(parse('30d')).toBe(Date.UTC(2026, 0, 1, 12))
    expect(parse('2w')).toBe(Date.UTC(2026, 0, 17, 12))
  })

  it('takes dates and times, local ones where they have no zone', () => {
    expect(parse('2026-01-15')).toBe(new Date(2026, 0, 15).getTime())
    expect(parse('2026-01-15T08:30')).toBe(new Date(2026, 0, 15, 8, 30).getTime())
    expect(parse('2026-01-15T08:30:00Z')).toBe(Date.UTC(2026, 0, 15, 8, 30))
  })

  it('takes the ages that help gives as examples, and names their units where it refuses', () => {
    for (const age of timeForms.match(/\d+\w/g)!) expect(parse(age)).toBeLessThan(now)
    expect(() => parse('5y')).toThrow('units s, m, h, d, w')
  })

  it.each(['', 'yesterday', '30', '5y', '2026', '2026-13-01', '2026-01-15T99', '-3d', '3S', '5ms', '15/01/2026'])(
    'refuses %j',
    given => {
      expect(() => parse(given)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    },
  )
})
