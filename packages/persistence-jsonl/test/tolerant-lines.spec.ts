import type { TolerantItem } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'
import { readBlocks } from '../src/blocks.js'
import { memorySource } from '../src/source.js'
import { TolerantLines } from '../src/tolerant-lines.js'
import { writeLog } from './support/log-bytes.js'
import { lines } from './support/records.js'

const log = writeLog([3, 1, 12, 2, 30])
const start = log.edges[0]!.byte

async function read(bytes: Buffer, hasSeed = true): Promise<TolerantItem[]> {
  const collector = new TolerantLines(start, hasSeed ? log.seed : undefined)
  const items: TolerantItem[] = []
  for await (const block of readBlocks(memorySource(bytes), start, bytes.length, { retain: true, blockBytes: 100 })) {
    items.push(...collector.add(block))
  }
  return items
}

const recordsOf = (items: TolerantItem[]) => items.flatMap(item => (item.kind === 'records' ? lines(item.records) : []))
const unreadable = (items: TolerantItem[]) => items.filter(item => item.kind === 'unreadable')

describe('TolerantLines', () => {
  it('gives an intact log whole, with nothing to say about it', async () => {
    const items = await read(log.bytes)
    expect(recordsOf(items)).toEqual(lines(log.records))
    expect(unreadable(items)).toEqual([])
  })

  it('says where a line cannot be read, and that its batch is in doubt', async () => {
    const bytes = Buffer.from(log.bytes)
    const { byte } = log.edges[2]!
    bytes.fill(0, byte + 30, byte + 40)
    const items = await read(bytes)
    expect(recordsOf(items)).toHaveLength(log.records.length - 1)
    expect(unreadable(items)).toEqual([
      {
        kind: 'unreadable',
        reason: expect.stringContaining('INVALID_EVENT'),
        byte,
        bytes: bytes.indexOf(10, byte) - byte,
      },
      {
        kind: 'unreadable',
        reason: expect.stringContaining('checksum'),
        byte,
        bytes: log.edges[3]!.byte - byte,
      },
    ])
  })

  it('says that a record may be altered where only the checksum tells', async () => {
    const bytes = Buffer.from(log.bytes.toString().replace('prompt 0', 'promqt 0'))
    const items = await read(bytes)
    expect(recordsOf(items)).toHaveLength(log.records.length)
    expect(unreadable(items)).toMatchObject([{ byte: start, reason: expect.stringContaining('may be altered') }])
    expect(unreadable(await read(bytes, false))).toEqual([])
  })

  it('takes rows out of a line that holds more than one', async () => {
    const feed = log.bytes.indexOf(10, start)
    const bytes = Buffer.concat([log.bytes.subarray(0, feed), log.bytes.subarray(feed + 1)])
    const items = await read(bytes)
    expect(recordsOf(items)).toEqual(lines(log.records))
    expect(unreadable(items)[0]).toMatchObject({ byte: start, bytes: 0 })
  })
})
