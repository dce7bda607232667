import { describe, expect, it } from 'vitest'
import type { OpenLog } from '../src/open-log.js'
import { snapshotLog } from '../src/snapshot.js'
import { partOf, writeLog } from './support/log-bytes.js'
import { header, sampleEvents, toRecords } from './support/records.js'

const log = writeLog([3, 4])
const edge = log.edges.at(-1)!

function openLog(tail: object, parts = [partOf(log)]): OpenLog {
  return { header: header(), parts, last: parts.at(-1), tail: { edge, end: edge.byte, next: 7, ...tail } } as never
}

describe('snapshotLog', () => {
  it('ends each part where the next one starts, and the last at its last commit line', () => {
    const second = { ...partOf(log), start: { byte: 66, next: 5 } }
    const { parts } = snapshotLog(openLog({ kept: [] }, [partOf(log), second]))
    expect(parts.map(({ end }) => end)).toEqual([{ byte: log.bytes.length, next: 5 }, edge])
  })

  it('goes on with what was kept in memory, or is still to be read, until a commit line covers it', () => {
    const kept = toRecords(sampleEvents(2, 7))
    const inMemory = openLog({ kept, end: edge.byte + 50, next: 9 })
    expect(snapshotLog(inMemory).loose).toBe(kept)
    expect(snapshotLog(inMemory, { byte: edge.byte + 150, next: 10 }).loose).toEqual([])
    const foreign = openLog({ end: edge.byte + 50, next: 9 })
    expect(snapshotLog(foreign).loose).toEqual({ end: edge.byte + 50, next: 9 })
  })
})
