import { describe, expect, it } from 'vitest'
import { commitBefore, edgeAt } from '../src/edge.js'
import { writeLog } from './support/log-bytes.js'

const log = writeLog([3, 1, 12, 0, 7])
const start = log.edges[0]!
const read = async (from: number, to: number) => log.bytes.subarray(from, to)

describe('edgeAt', () => {
  it('knows the places between batches, and no other', async () => {
    const known = new Map(log.edges.map(edge => [edge.byte, edge]))
    for (let byte = start.byte - 5; byte <= log.bytes.length; byte++) {
      expect(await edgeAt(read, start, byte)).toEqual(known.get(byte))
    }
  })
})

describe('commitBefore', () => {
  it('finds the commit line that ends at a place', async () => {
    for (const { byte, next } of log.edges.slice(1)) {
      expect(await commitBefore(read, start.byte, byte)).toMatchObject({ commit: { next }, end: byte })
    }
    expect(await commitBefore(read, start.byte, start.byte)).toBeUndefined()
  })
})
