import { describe, expect, it } from 'vitest'
import { event } from '../src/conformance/records.js'
import { checkRecords } from '../src/driver.js'

describe('checkRecords', () => {
  const records = [event(3, 'x/y', {}), { ...event(4, 'x/y', {}), count: 5 }, event(9, 'x/y', {})]

  it('takes records that follow each other without a gap', () => {
    checkRecords(records, 3, 's')
    checkRecords([], 7, 's')
  })

  it.each([
    ['a gap before them', records, 2],
    ['an overlap', records, 4],
    ['a gap between two', [records[0]!, records[2]!], 3],
    ['a record without events', [{ ...records[0]!, count: 0 }], 3],
    ['a time between two milliseconds', [{ ...records[0]!, time: 1.5 }], 3],
    ['an empty body', [{ ...records[0]!, body: new Uint8Array() }], 3],
    ['a line feed in a body', [{ ...records[0]!, body: Uint8Array.of(123, 10, 125) }], 3],
  ])('refuses %s', (_, bad, next) => {
    expect(() => checkRecords(bad, next, 's')).toThrow(expect.objectContaining({ code: 'INVALID_EVENT', session: 's' }))
  })
})
