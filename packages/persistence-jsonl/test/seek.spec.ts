import { describe, expect, it } from 'vitest'
import { findCommitAfter, seekBatch } from '../src/seek.js'
import { memorySource } from '../src/source.js'
import { writeBatches } from './support/log-bytes.js'
import { event, toRecords } from './support/records.js'

const batches = Array.from({ length: 120 }, (_, index) =>
  toRecords([
    event(index * 2, 'x'.repeat((index * 7_919) % 9_000)),
    event(index * 2 + 1, index === 60 ? 'y'.repeat(200_000) : 0),
  ]),
)
const log = writeBatches(batches)
const [start, end] = [log.edges[0]!, log.edges.at(-1)!]

describe('seekBatch', () => {
  it('gives the end of a batch, before the event that is sought and close to it', async () => {
    const source = memorySource(log.bytes)
    for (let seq = 0; seq <= end.next; seq++) {
      const found = await seekBatch(source, start, end.byte, seq)
      expect(log.edges).toContainEqual(found)
      expect(found.next).toBeLessThanOrEqual(seq)
      const wanted = log.edges.filter(({ next }) => next <= seq).at(-1)!
      expect(wanted.byte - found.byte).toBeLessThan(3 * 64 * 1024)
    }
  })

  it('reads little of a large log', async () => {
    let bytes = 0
    const source = memorySource(log.bytes)
    const counting = {
      ...source,
      read: (into: Uint8Array, position: number) => {
        bytes += into.length
        return source.read(into, position)
      },
    }
    await seekBatch(counting, start, end.byte, end.next - 3)
    expect(bytes).toBeLessThan(log.bytes.length / 2)
  })

  it('ends in a file that is shorter than it was', async () => {
    const source = memorySource(log.bytes.subarray(0, 1_000))
    expect((await seekBatch(source, start, end.byte, 200)).next).toBeLessThanOrEqual(200)
  })
})

describe('findCommitAfter', () => {
  it('finds the next commit line that starts after a place, also behind a long row', async () => {
    const source = memorySource(log.bytes)
    for (const [index, { byte }] of log.edges.slice(0, -1).entries()) {
      expect((await findCommitAfter(source, byte - 1, end.byte))?.end).toBe(log.edges[index + 1]!.byte)
    }
    expect(await findCommitAfter(source, end.byte - 1, end.byte)).toBeUndefined()
  })
})
