import { describe, expect, it } from 'vitest'
import { select } from '../src/select.js'
import { lines, sampleEvents, toRecords } from './support/records.js'

const records = toRecords(sampleEvents(40))

describe('select', () => {
  it('gives straddling records whole, and nothing outside of the range', () => {
    for (let from = 0; from <= 40; from++) {
      for (const to of [from, from + 1, from + 5, 40]) {
        const found = select(records, { from, to })
        expect(found).toEqual(records.filter(({ seq, count }) => seq + count > from && seq < to))
      }
    }
  })

  it('copies what it picks, so that a message does not hold on to its neighbours', () => {
    const found = select(records, { filter: 'surface' })
    expect(lines(found)).toEqual(lines(records.filter(({ surface }) => surface)))
    for (const { body } of found) expect(body.buffer.byteLength).toBe(body.length)
  })
})
