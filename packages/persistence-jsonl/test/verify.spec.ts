import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { formatCommitLine } from '../src/commit-line.js'
import { memorySource } from '../src/source.js'
import { batchVerifies, crcOfRange, firstSeqAt, judgeRegion, verifyBatches } from '../src/verify.js'
import { partOf, writeLog } from './support/log-bytes.js'

const log = writeLog([3, 1, 12, 2, 30])
const edges = log.edges.map(({ byte }) => byte)

function verify(bytes: Buffer) {
  const { source, seed, start, size } = partOf(log, bytes)
  return verifyBatches(source, seed, start, size)
}

async function judge(bytes: Buffer) {
  const { damage } = await verify(bytes)
  return judgeRegion(memorySource(bytes), log.seed, damage!, bytes.length)
}

function overwrite(at: number, bytes: string | Buffer): Buffer {
  const copy = Buffer.from(log.bytes)
  Buffer.from(bytes).copy(copy, at)
  return copy
}

const slices = (...ranges: [number, number?][]) => Buffer.concat(ranges.map(range => log.bytes.subarray(...range)))

describe('verifyBatches', () => {
  it('accepts a log to its end', async () => {
    const { edge, damage } = await verify(log.bytes)
    expect(damage).toBeUndefined()
    expect(edge).toMatchObject(log.edges.at(-1)!)
  })

  it.each([
    ['twice', slices([0, edges[3]], [edges[2]!, edges[3]], [edges[3]!]), 3],
    ['in another order', slices([0, edges[1]], [edges[2]!, edges[3]], [edges[1]!, edges[2]], [edges[3]!]), 1],
    ['left out', slices([0, edges[1]], [edges[2]!]), 1],
    ['moved to the end', slices([0, edges[0]], [edges[1]!], [edges[0]!, edges[1]]), 0],
  ])('stops at a batch that verifies and is %s', async (_, bytes, last) => {
    const { edge, damage } = await verify(bytes)
    expect(damage).toBeDefined()
    expect(edge).toMatchObject(log.edges[last]!)
  })

  it('stops at a commit line that counts backwards', async () => {
    const { edge } = await verify(Buffer.concat([log.bytes, formatCommitLine(0, 1, 0, log.seed)]))
    expect(edge).toMatchObject(log.edges.at(-1)!)
  })
})

describe('judgeRegion', () => {
  it('finds damage, and what is lost, when a later batch verifies', async () => {
    const verdict = await judge(overwrite(edges[2]! + 40, '\u0000\u0000'))
    expect(verdict).toEqual({
      kind: 'damaged',
      lost: { fromSeq: 4, toSeq: 16, fromByte: edges[2], toByte: edges[3] },
    })
  })

  it('finds damage in a last batch that has its commit line and no zeros', async () => {
    const verdict = await judge(overwrite(edges[4]! + 40, '?'))
    expect(verdict).toEqual({ kind: 'damaged', lost: { fromSeq: 18, fromByte: edges[4], toByte: log.bytes.length } })
  })

  it.each([
    ['zeros in it', overwrite(edges[4]! + 40, '\u0000')],
    ['a short end', log.bytes.subarray(0, log.bytes.length - 5)],
    ['zeros for an end', overwrite(log.bytes.length - 60, Buffer.alloc(60))],
    ['a commit line without its line feed', log.bytes.subarray(0, log.bytes.length - 1)],
  ])('takes a last batch with %s for a torn tail', async (_, bytes) => {
    expect(await judge(bytes)).toEqual({ kind: 'torn' })
  })

  it('is not led by commit lines that lie about their length', async () => {
    const liars = Array.from(
      { length: 300 },
      (_, next) => `{"type":"commit","next":${next},"time":1,"bytes":4000,"crc":7}\n`,
    )
    const bytes = Buffer.concat([slices([0, edges[1]]), Buffer.from(liars.join('')), Buffer.alloc(10)])
    expect((await judge(bytes)).kind).toBe('damaged')
  })
})

describe('batchVerifies', () => {
  it('wants the checksum, and a batch that lies behind the header', async () => {
    const { source, seed } = partOf(log)
    const start = log.bytes.lastIndexOf('{"type":"commit"')
    const commit = { next: 48, time: 0, bytes: start - edges[4]!, crc: 0, covered: 10 }
    expect(await batchVerifies(source, seed, edges[0]!, start, commit)).toBe(false)
    const crc = crc32(log.bytes.subarray(edges[4], start + 10), seed)
    expect(await batchVerifies(source, seed, edges[0]!, start, { ...commit, crc })).toBe(true)
    expect(await batchVerifies(source, seed, edges[0]!, start, { ...commit, crc, bytes: start })).toBe(false)
  })
})

describe('crcOfRange', () => {
  it('is that of the bytes, also where the file ends early', async () => {
    const { source } = partOf(log)
    expect(await crcOfRange(source, 10, 300, 5)).toBe(crc32(log.bytes.subarray(10, 300), 5))
    expect(await crcOfRange(source, 10, 10, 5)).toBe(5)
    expect(await crcOfRange(source, 0, 10_000_000, 0)).toBe(crc32(log.bytes))
  })
})

describe('firstSeqAt', () => {
  it('finds the first row behind lines that are none', async () => {
    const bytes = Buffer.concat([Buffer.from('\n{"type"\n'), log.bytes.subarray(edges[2])])
    expect(await firstSeqAt(memorySource(bytes), 0, bytes.length)).toBe(4)
    expect(await firstSeqAt(memorySource(Buffer.from('{}\n')), 0, 3)).toBeUndefined()
    expect(await firstSeqAt(memorySource(Buffer.from('{}')), 0, 2)).toBeUndefined()
  })
})
