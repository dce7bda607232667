import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duration, isoTime, localClock, localTime } from '../../src/format/time.js'

const noon = Date.UTC(2026, 0, 31, 12, 0, 5, 7)

describe('times in the local zone', () => {
  const zone = process.env.TZ
  beforeAll(() => {
    process.env.TZ = 'Asia/Shanghai'
  })
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  it('are those of the person who reads', () => {
    expect(localTime(noon)).toBe('2026-01-31 20:00:05')
    expect(localClock(noon)).toBe('20:00:05.007')
  })

  it('are the number itself where no calendar reaches', () => {
    expect(localTime(9e15)).toBe('9000000000000000')
    expect(localClock(-9e15)).toBe('-9000000000000000')
  })
})

describe('isoTime', () => {
  it('is in UTC, and the number itself where ISO 8601 does not reach', () => {
    expect(isoTime(noon)).toBe('2026-01-31T12:00:05.007Z')
    expect(isoTime(9e15)).toBe(9e15)
  })
})

describe('duration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 00 s'],
    [61_000, '1 min 01 s'],
    [3_599_499, '59 min 59 s'],
    [3_600_000, '1 h 00 min'],
    [90_000_000, '25 h 00 min'],
    [172_800_000, '2 d'],
    [-1_500, '-1.5 s'],
  ])('writes %d ms as %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text)
  })
})
