import { describe, expect, it } from 'vitest'
import { packSlowly } from '../src/pack-slowly.js'
import { unpackRecords } from '../src/record-block.js'
import { event, plain, toRecords } from './support/records.js'

describe('packSlowly', () => {
  it('keeps every record, in order, in blocks of a few megabytes', async () => {
    const records = toRecords([
      ...Array.from({ length: 5_000 }, (_, seq) => event(seq)),
      ...Array.from({ length: 5 }, (_, index) => event(5_000 + index, 'x'.repeat(3 << 20))),
    ])
    const blocks = await packSlowly(records)
    expect(blocks.length).toBeGreaterThan(3)
    for (const { bytes } of blocks) expect(bytes.length).toBeLessThan(8 << 20)
    expect(blocks.flatMap(unpackRecords).map(plain)).toEqual(records.map(plain))
  })

  it('lets others run between two blocks', async () => {
    const records = toRecords(Array.from({ length: 20_000 }, (_, seq) => event(seq)))
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await packSlowly(records)
    isDone = true
    expect(turns).toBeGreaterThan(2)
  })

  it('makes no block of no records', async () => {
    expect(await packSlowly([])).toEqual([])
  })
})
