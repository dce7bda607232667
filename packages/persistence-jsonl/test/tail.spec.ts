import { describe, expect, it } from 'vitest'
import { memorySource } from '../src/source.js'
import { findTail } from '../src/tail.js'
import { writeLog } from './support/log-bytes.js'

const log = writeLog([3, 1, 12])
const floor = log.edges[0]!.byte

function find(bytes: Buffer) {
  return findTail(memorySource(bytes), floor, bytes.length)
}

describe('findTail', () => {
  it('finds the last commit line however far it lies before the end', async () => {
    // Also where it straddles two of the windows that are read.
    for (const tail of [0, 1, 10, 3_900, 4_000, 4_050, 4_096, 4_150, 20_400, 20_480, 100_000, 2_000_000]) {
      const found = await find(Buffer.concat([log.bytes, Buffer.alloc(tail, 'x')]))
      expect(found?.end, `${tail} bytes`).toBe(log.bytes.length)
      expect(found?.commit.next).toBe(16)
    }
  })

  it('finds none in a log without any, nor in its header', async () => {
    expect(await find(log.bytes.subarray(0, floor))).toBeUndefined()
    expect(await find(Buffer.concat([log.bytes.subarray(0, floor), Buffer.alloc(10_000, 'x')]))).toBeUndefined()
  })
})
