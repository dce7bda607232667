import { describe, expect, it } from 'vitest'
import { readForward } from '../src/read-forward.js'
import { recoverTail } from '../src/recover.js'
import { snapshotLog } from '../src/snapshot.js'
import { partOf, writeLog } from './support/log-bytes.js'
import { collect, lines } from './support/records.js'

const log = writeLog([3, 1, 12, 2, 9])
const start = log.edges[0]!.byte
const lastCommit = log.bytes.lastIndexOf('{"type":"commit"')

interface Told {
  readonly code: string
  readonly byte: number
}

/** Opens and reads the only part of a log as a handle does. */
async function read(bytes: Buffer, thorough: boolean): Promise<{ found: string[]; isReported: boolean }> {
  const part = partOf(log, bytes)
  const tail = await recoverTail(part, { thorough, isOnlyPart: true })
  const snapshot = snapshotLog({ header: { id: 's' }, parts: [part], last: part, tail } as never)
  return {
    found: lines(await collect(readForward(snapshot, {}, undefined))),
    isReported: tail.end < bytes.length || tail.keptEvents > 0,
  }
}

describe('a single byte that rots', () => {
  it('is told, with its place, wherever it lies before the last commit line', async () => {
    for (let at = start; at < lastCommit; at++) {
      const bit = at % 8
      const bytes = Buffer.from(log.bytes)
      bytes[at] = bytes[at]! ^ (1 << bit)
      for (const thorough of [true, false]) {
        const outcome = await read(bytes, thorough).catch((error: Told) => error)
        const before = log.edges.filter(({ byte }) => byte <= at).at(-1)!
        if ('code' in outcome) expect(outcome).toMatchObject({ code: 'SESSION_CORRUPT', byte: before.byte })
        else {
          // With a zero in it, or without its commit line, the last batch can be what a power cut left: what is cut
          // then is reported, and saved.
          expect(bytes[at] === 0 || at === lastCommit - 1).toBe(true)
          expect(outcome.isReported).toBe(true)
          expect(before).toEqual(log.edges.at(-2))
        }
      }
    }
  })

  it('loses no event when it lies in the last commit line, and is told too', async () => {
    for (let at = lastCommit; at < log.bytes.length; at++) {
      const bytes = Buffer.from(log.bytes)
      bytes[at] = bytes[at]! ^ 1
      const outcome = await read(bytes, true).catch((error: Told) => error)
      if ('code' in outcome) expect(outcome.code).toBe('SESSION_CORRUPT')
      else expect(outcome).toEqual({ found: lines(log.records), isReported: true })
    }
  })
})
