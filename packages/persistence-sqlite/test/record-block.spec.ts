import type { StoredRecord } from '@dsh/persistence/driver'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buffersOf, packRecords, unpackRecords } from '../src/record-block.js'
import { plain } from './support/records.js'

const safe = fc.maxSafeInteger()
const record: fc.Arbitrary<StoredRecord> = fc.record({
  seq: safe,
  count: safe,
  time: safe,
  type: fc.constantFrom('a/b', 'text-chunks', 'x/\ud800', '漢/字'),
  surface: fc.boolean(),
  version: fc.integer({ min: 0, max: 9 }),
  body: fc.uint8Array({ maxLength: 40 }),
})

describe('packRecords', () => {
  it('gives any records back through a transfer', () => {
    fc.assert(
      fc.property(fc.array(record), records => {
        const block = packRecords(records)
        const moved = structuredClone(block, { transfer: buffersOf(block) })
        expect(unpackRecords(moved).map(plain)).toEqual(records.map(plain))
        expect(block.bytes.length).toBe(0)
      }),
    )
  })

  it('copies, so that what happens to a record later does not reach the block', () => {
    const body = Uint8Array.of(1, 2, 3)
    const block = packRecords([{ seq: 0, count: 1, time: 0, type: 'x/y', surface: false, version: 1, body }])
    body.fill(9)
    expect([...unpackRecords(block)[0]!.body]).toEqual([1, 2, 3])
  })
})
