import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSmallLog, SMALL_LOG_BYTES } from '../src/small-log.js'
import { type LogBytes, writeLog } from './support/log-bytes.js'
import { MemoryDisk, putFile } from './support/memory-root.js'
import { lines } from './support/records.js'

const DIRECTORY = '/store'
const FILE = `${DIRECTORY}/log-0.jsonl`

const small = { session: 's', directory: DIRECTORY, size: 10, next: 1 }

async function read(log: LogBytes, changed: Buffer = log.bytes, size = changed.length) {
  const disk = new MemoryDisk()
  await putFile(disk, FILE, changed)
  return readSmallLog(disk, { session: 's', directory: DIRECTORY, size, next: log.edges.at(-1)!.next })
}

describe('readSmallLog', () => {
  it('gives every record of an intact log', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), async sizes => {
        const log = writeLog(sizes)
        const records = await read(log)
        expect(records).toEqual(log.records)
        expect(lines(records!)).toEqual(lines(log.records))
      }),
      { numRuns: 50 },
    )
  })

  it('tells of a wrong byte anywhere', async () => {
    const log = writeLog([5, 7])
    for (let at = log.edges[0]!.byte; at < log.bytes.length; at++) {
      const changed = Buffer.from(log.bytes)
      changed[at]! ^= 1
      await expect(read(log, changed)).rejects.toMatchObject({ code: 'SESSION_CORRUPT', session: 's', file: FILE })
    }
  })

  it('gives nothing of a log that is shorter than was said, ends elsewhere, or has other parts', async () => {
    const log = writeLog([5, 7])
    const size = log.bytes.length
    for (let length = 0; length < size; length++) {
      expect(await read(log, log.bytes.subarray(0, length), size)).toBeUndefined()
    }
    expect(await read({ ...log, edges: [{ byte: 0, next: 11 }] }, log.bytes)).toBeUndefined()
    const disk = new MemoryDisk()
    await putFile(disk, FILE, log.bytes)
    await putFile(disk, `${DIRECTORY}/log-99.jsonl`, 'a header')
    expect(readSmallLog(disk, { session: 's', directory: DIRECTORY, size, next: 12 })).toBeUndefined()
  })

  it('leaves what has grown meanwhile to the next look', async () => {
    const log = writeLog([5, 7])
    const { byte, next } = log.edges[1]!
    expect(lines((await read({ ...log, edges: [{ byte, next }] }, log.bytes, byte))!)).toEqual(
      lines(log.records.filter(({ seq }) => seq < next)),
    )
  })

  it('does not touch a log that is not small', () => {
    const disk = new MemoryDisk()
    expect(readSmallLog(disk, { ...small, size: SMALL_LOG_BYTES + 1 })).toBeUndefined()
    expect(disk.openFiles).toBe(0)
  })

  it('gives nothing of a file that is gone, and leaves none open', async () => {
    const disk = new MemoryDisk()
    expect(readSmallLog(disk, small)).toBeUndefined()
    await putFile(disk, FILE, 'short')
    expect(readSmallLog(disk, small)).toBeUndefined()
    expect(disk.openFiles).toBe(0)
  })
})
