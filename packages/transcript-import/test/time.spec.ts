import { describe, expect, it } from 'vitest'
import { epochTime, isoTime } from '../src/time.js'

describe('isoTime', () => {
  it('reads dates with a zone, and takes those without for UTC', () => {
    const time = Date.UTC(2026, 0, 2, 3, 4, 5)
    for (const text of [
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05',
      '2026-01-02 03:04:05',
      '2026-01-02T05:04:05+02:00',
    ]) {
      expect(isoTime(text)).toBe(time)
    }
    expect(isoTime('2026-01-02T03:04:05.123456')).toBe(time + 123)
    expect(isoTime('2026-01-02')).toBe(Date.UTC(2026, 0, 2))
  })

  it('is undefined for what is no date', () => {
    for (const value of ['', '[trimmed]', '2026-99-99T00:00:00Z', 5, null, undefined])
      expect(isoTime(value)).toBeUndefined()
  })
})

describe('epochTime', () => {
  it('reads seconds and milliseconds', () => {
    expect(epochTime(1_650_000_000)).toBe(1_650_000_000_000)
    expect(epochTime(1_650_000_000.25)).toBe(1_650_000_000_250)
    expect(epochTime(1_650_000_000_123)).toBe(1_650_000_000_123)
  })

  it('is undefined for what is no time', () => {
    for (const value of [0, -5, Number.NaN, 1e300, '5', null, undefined]) expect(epochTime(value)).toBeUndefined()
  })
})
