import type { ReadRange, StoredRecord } from '@dsh/persistence/driver'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBackward } from '../src/read-backward.js'
import { readForward } from '../src/read-forward.js'
import type { LogSnapshot } from '../src/snapshot.js'
import { memorySource } from '../src/source.js'
import { snapshotOf, writeLog } from './support/log-bytes.js'
import { collect, lines, sampleEvents, toRecords } from './support/records.js'

const sizes = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 })
const bound = fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined })
const ranges = fc.record(
  { from: bound, to: bound, filter: fc.constantFrom(undefined, 'surface' as const), reverse: fc.boolean() },
  { noNullPrototype: true },
) as fc.Arbitrary<ReadRange>

function read(log: LogSnapshot, range: ReadRange): Promise<StoredRecord[]> {
  return collect((range.reverse ? readBackward : readForward)(log, range, undefined))
}

/** What a read has to give, in the plainest words. */
function expected(records: readonly StoredRecord[], { from = 0, to = Infinity, filter, reverse }: ReadRange): string[] {
  const found = records.filter(
    ({ seq, count, surface }) => seq + count > from && seq < to && (filter === undefined || surface),
  )
  return lines(reverse ? found.reverse() : found)
}

describe('reading a range', () => {
  it('gives exactly its records, whatever the batches, in either direction', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, ranges, async (batches, range) => {
        const log = writeLog(batches)
        expect(lines(await read(snapshotOf(log), range))).toEqual(expected(log.records, range))
      }),
    )
  })

  it('goes on with records that are kept without a commit line, from memory or from the file', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, ranges, fc.boolean(), async (batches, range, inMemory) => {
        const log = writeLog(batches)
        const end = log.edges.at(-1)!
        const more = toRecords(sampleEvents(13, end.next))
        const bytes = Buffer.concat([
          log.bytes,
          Buffer.from(
            lines(more)
              .map(line => `${line}\n`)
              .join(''),
          ),
        ])
        const loose = inMemory ? more : { end: bytes.length, next: end.next + 13 }
        const snapshot = { ...snapshotOf(log, bytes), loose }
        expect(lines(await read(snapshot, range))).toEqual(expected([...log.records, ...more], range))
      }),
      { numRuns: 50 },
    )
  })

  it('reads several parts as one log', async () => {
    const [whole, first] = [writeLog([7, 12, 3, 30]), writeLog([7, 12])]
    const cut = whole.edges[2]!
    const head = whole.bytes.subarray(0, whole.edges[0]!.byte)
    const second = Buffer.concat([head, whole.bytes.subarray(cut.byte)])
    const start = { byte: head.length, next: cut.next, lines: 1 }
    const end = { byte: second.length, next: 52 }
    const snapshot: LogSnapshot = {
      ...snapshotOf(first),
      parts: [...snapshotOf(first).parts, { source: memorySource(second), seed: whole.seed, start, end }],
    }
    for (const range of [{}, { from: 18 }, { from: 19, to: 20 }, { to: 19 }, { from: 5, to: 40 }, { from: 60 }]) {
      for (const reverse of [false, true]) {
        const found = await read(snapshot, { ...range, reverse })
        expect(lines(found)).toEqual(expected(whole.records, { ...range, reverse }))
      }
    }
  })

  it('tells damage in what it reads, and reads around it what was asked for', async () => {
    const log = writeLog([3, 12, 2, 30, 8])
    const at = log.edges[2]!.byte + 30
    const bytes = Buffer.from(log.bytes)
    bytes[at] = bytes[at]! ^ 8
    const snapshot = snapshotOf(log, bytes)
    const lost = { fromSeq: 15, toSeq: 17, fromByte: log.edges[2]!.byte, toByte: log.edges[3]!.byte }
    for (const range of [
      {},
      { reverse: true },
      { from: 15 },
      { to: 16, reverse: true },
      { filter: 'surface' as const },
    ]) {
      await expect(read(snapshot, range)).rejects.toMatchObject({
        code: 'SESSION_CORRUPT',
        session: 's',
        byte: log.edges[2]!.byte,
        seq: 15,
        details: { lost },
      })
    }
    expect(lines(await read(snapshot, { to: 15 }))).toEqual(expected(log.records, { to: 15 }))
    expect(lines(await read(snapshot, { from: 17, reverse: true }))).toEqual(
      expected(log.records, { from: 17, reverse: true }),
    )
  })

  it('is not led astray by damaged lines that a search looks at', async () => {
    const log = writeLog(Array.from({ length: 3_000 }, () => 3))
    const text = log.bytes.toString()
    for (const seq of [900, 4_500, 8_000]) {
      // A commit line that claims another number, or none.
      for (const forged of ['"next":1,', '"next":99999,', '"nixt":900,']) {
        const bytes = Buffer.from(text.replace(`"next":${seq},`, forged.padEnd(`"next":${seq},`.length, ' ')))
        for (const from of [0, 100, seq - 1, seq, seq + 1, seq + 700]) {
          const range = { from, to: from + 30 }
          const found = await read(snapshotOf(log, bytes), range).then(lines, (error: unknown) => error)
          if (found instanceof Error) expect(found).toMatchObject({ code: 'SESSION_CORRUPT' })
          else expect(found).toEqual(expected(log.records, range))
        }
      }
    }
  })

  it('fails when the file became shorter, or its kept rows changed', async () => {
    const log = writeLog([3, 12])
    const short = snapshotOf(log, log.bytes.subarray(0, log.bytes.length - 20))
    await expect(read(short, {})).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    await expect(read(short, { reverse: true })).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    const loose = { end: log.bytes.length, next: 20 }
    await expect(read({ ...snapshotOf(log), loose }, {})).rejects.toMatchObject({ code: 'SESSION_CORRUPT', seq: 15 })
  })
})
