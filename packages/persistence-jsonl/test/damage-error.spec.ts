import { describe, expect, it } from 'vitest'
import { damageError } from '../src/damage-error.js'
import { snapshotOf, writeLog } from './support/log-bytes.js'

const log = writeLog([3, 4, 12])

describe('damageError', () => {
  it('reads a part from its start to find a damage that is not known', async () => {
    const bytes = Buffer.from(log.bytes)
    bytes[log.edges[1]!.byte + 20] = 1
    const snapshot = snapshotOf(log, bytes)
    expect(await damageError(snapshot, snapshot.parts[0]!, undefined)).toMatchObject({
      code: 'SESSION_CORRUPT',
      session: 's',
      byte: log.edges[1]!.byte,
      seq: 3,
      details: { lost: { fromSeq: 3, toSeq: 7, fromByte: log.edges[1]!.byte, toByte: log.edges[2]!.byte } },
    })
  })

  it('says that a damage was there at one read and gone at the next', async () => {
    const snapshot = snapshotOf(log)
    expect(await damageError(snapshot, snapshot.parts[0]!, undefined)).toMatchObject({
      code: 'SESSION_CORRUPT',
      expected: 'the same bytes at each read',
    })
  })

  it('counts everything behind a damage as lost when nothing there verifies', async () => {
    const snapshot = snapshotOf(log, log.bytes.subarray(0, -30))
    const error = await damageError(snapshot, snapshot.parts[0]!, undefined)
    expect(error).toMatchObject({
      details: { lost: { fromSeq: 7, fromByte: log.edges[2]!.byte, toByte: log.bytes.length } },
    })
  })
})
