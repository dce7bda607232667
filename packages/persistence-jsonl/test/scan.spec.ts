import { describe, expect, it } from 'vitest'
import { BatchRows } from '../src/batch-rows.js'
import { readBlocks } from '../src/blocks.js'
import type { Damage } from '../src/damage.js'
import { BatchScanner } from '../src/scan.js'
import { memorySource } from '../src/source.js'
import { writeLog } from './support/log-bytes.js'
import { lines } from './support/records.js'

const log = writeLog([3, 1, 12, 2, 30])
const start = { ...log.edges[0]!, lines: 1 }

async function scan(
  bytes: Buffer,
  blockBytes = 64,
): Promise<{ scanner: BatchScanner; damage?: Damage; found: string[] }> {
  const rows = new BatchRows(0)
  const scanner = new BatchScanner(log.seed, start, rows)
  const found: string[] = []
  for await (const block of readBlocks(memorySource(bytes), start.byte, bytes.length, { blockBytes, retain: true })) {
    const damage = scanner.scan(block)
    found.push(...lines(rows.take()))
    if (damage) return { scanner, damage, found }
  }
  const damage = scanner.finish(bytes.length)
  return { scanner, found, ...(damage && { damage }) }
}

describe('BatchScanner', () => {
  it('accepts the batches of a log, whatever the blocks that they come in', async () => {
    for (const blockBytes of [1, 7, 64, 500, 1 << 20]) {
      const { scanner, damage, found } = await scan(log.bytes, blockBytes)
      expect(damage).toBeUndefined()
      expect(found).toEqual(lines(log.records))
      expect(scanner.edge).toMatchObject(log.edges.at(-1)!)
    }
  })

  it('stops before the batch in which a byte was changed, wherever in it', async () => {
    for (let at = start.byte; at < log.bytes.length; at += 5) {
      const bytes = Buffer.from(log.bytes)
      bytes[at] = bytes[at]! ^ 1
      const { damage, found, scanner } = await scan(bytes)
      const before = log.edges.filter(({ byte }) => byte <= at).at(-1)!
      expect(damage).toMatchObject({ byte: before.byte, seq: before.next })
      expect(scanner.edge).toMatchObject(before)
      expect(lines(log.records).slice(0, found.length)).toEqual(found)
    }
  })

  it('counts lines from where it was told', async () => {
    const bytes = Buffer.from(log.bytes)
    bytes[log.edges[2]!.byte + 20] = 0
    const { damage } = await scan(bytes)
    const before = bytes.subarray(0, log.edges[2]!.byte).toString().split('\n').length
    expect(damage!.line).toBe(before)
  })

  it('names what disagrees: the length, the checksum, the numbers', async () => {
    const edges = log.edges.map(({ byte }) => byte)
    const withoutRow = Buffer.concat([
      log.bytes.subarray(0, edges[0]),
      log.bytes.subarray(log.bytes.indexOf(10, edges[0]) + 1),
    ])
    expect((await scan(withoutRow)).damage!.expected).toMatch(/a batch of \d+ bytes/)
    const withoutBatch = Buffer.concat([log.bytes.subarray(0, edges[1]), log.bytes.subarray(edges[2])])
    expect((await scan(withoutBatch)).damage).toMatchObject({ expected: 'the row of event 3', found: 'that of 4' })
    const cut = log.bytes.subarray(0, log.bytes.length - 1)
    expect((await scan(cut)).damage!.found).toBe('one that is malformed')
    const tail = Buffer.concat([log.bytes, Buffer.from('{"type":"a/b"}\n')])
    expect((await scan(tail)).damage!.found).toBe('15 bytes that none covers')
  })
})
