import { expect, it } from 'vitest'
import { sampleRecords } from '../src/conformance/records.js'
import { describe } from '../src/describe.js'

it('finds in a line what its record says', () => {
  for (const record of sampleRecords(5)) expect(describe(record.body)).toEqual(record)
  expect(describe(sampleRecords(1)[0]!.body, 7).version).toBe(7)
})

it('refuses a line that is no record', () => {
  for (const line of ['', '{', '[]', '{"type":"commit","next":3}', '{"type":"x/y","seq":-1,"time":0,"data":{}}']) {
    expect(() => describe(new TextEncoder().encode(line))).toThrow(expect.objectContaining({ code: 'INVALID_EVENT' }))
  }
})
