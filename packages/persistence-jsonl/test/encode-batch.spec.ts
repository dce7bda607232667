import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseCommitLine } from '../src/commit-line.js'
import { encodeBatches } from '../src/encode-batch.js'
import { event, lines, sampleEvents, T0, toRecords } from './support/records.js'

const SEED = 12_345

function split(bytes: Buffer): { rows: Buffer; commit: NonNullable<ReturnType<typeof parseCommitLine>> } {
  const start = bytes.lastIndexOf('\n', bytes.length - 2) + 1
  return { rows: bytes.subarray(0, start), commit: parseCommitLine(bytes, start, bytes.length - 1)! }
}

describe('encodeBatches', () => {
  it('writes each record as a line, and a commit line that covers them', () => {
    const records = toRecords(sampleEvents(25))
    const [batch, ...rest] = [...encodeBatches(records, SEED, 0, T0)]
    expect(rest).toEqual([])
    const { rows, commit } = split(batch!.bytes)
    expect(rows.toString()).toBe(`${lines(records).join('\n')}\n`)
    expect(commit).toMatchObject({ next: 25, time: records.at(-1)!.time, bytes: rows.length })
    expect(commit.crc).toBe(crc32(batch!.bytes.subarray(0, rows.length + commit.covered), SEED))
    expect(batch!.next).toBe(25)
  })

  it('covers a log without events by a batch without rows', () => {
    const [batch] = [...encodeBatches([], SEED, 0, T0)]
    expect(split(batch!.bytes).commit).toMatchObject({ next: 0, time: T0, bytes: 0 })
  })

  it('covers what lies before it, after ending its last line', () => {
    const before = Buffer.from('{"type":"a/b","seq":0,"time":1,"data":{}}')
    const uncovered = { crc: crc32(before, SEED), bytes: before.length, unterminated: true }
    const [batch] = [...encodeBatches(toRecords([event(1)]), SEED, 1, T0, uncovered)]
    const whole = Buffer.concat([before, batch!.bytes])
    const { rows, commit } = split(whole)
    expect(batch!.bytes[0]).toBe(10)
    expect(commit.bytes).toBe(rows.length)
    expect(commit.crc).toBe(crc32(whole.subarray(0, rows.length + commit.covered), SEED))
  })

  it('cuts a large append into batches of about a megabyte, and no record in two', () => {
    const records = toRecords(Array.from({ length: 40 }, (_, seq) => event(seq, 'x'.repeat(100_000))))
    const batches = [...encodeBatches(records, SEED, 0, T0)]
    expect(batches.length).toBeGreaterThan(2)
    let rowBytes = ''
    for (const { bytes } of batches) {
      expect(bytes.length).toBeLessThan(1_300_000)
      const { rows, commit } = split(bytes)
      expect(commit.crc).toBe(crc32(bytes.subarray(0, rows.length + commit.covered), SEED))
      rowBytes += rows.toString()
    }
    expect(rowBytes).toBe(`${lines(records).join('\n')}\n`)
    expect(batches.at(-1)!.next).toBe(40)
  })
})
