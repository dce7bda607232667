import { Session } from '@dsh/session'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodeBatch } from '../src/batch.js'
import { countStored, requirePrefix } from '../src/compare.js'
import { ManualClock } from './manual-clock.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'
import { addTurn } from './turns.js'

let session: Session
let driver: MemoryDriver

beforeEach(() => {
  session = new Session('s')
  for (let turn = 1; turn <= 2; turn++) addTurn(session, turn)
  driver = new MemoryDriver(new MemoryStorage())
})

async function records(of: Session, from = 0, to = of.seq) {
  return (await encodeBatch(of, from, to, new ManualClock(), { packChunks: true })).records
}

describe('requirePrefix', () => {
  it('accepts every prefix, also one that ends within what is packed differently now', async () => {
    for (let length = 0; length <= session.seq; length++) {
      const storage = new MemoryDriver(new MemoryStorage())
      const handle = await storage.create(session.header, await records(session, 0, length))
      await expect(requirePrefix(handle, session)).resolves.toBeUndefined()
    }
  })

  it('names the last event of a log that went another way', async () => {
    const other = new Session('s', session.events.slice(0, 11), session.header)
    addTurn(other, 2, 'another way')
    const handle = await driver.create(other.header, await records(other, 0, 13))
    await expect(requirePrefix(handle, session)).rejects.toMatchObject({ code: 'SEQ_CONFLICT', seq: 12 })
  })
})

describe('countStored', () => {
  it('counts what arrived of a batch, from nothing to all of it', async () => {
    const all = await records(session)
    const batch = all.slice(3)
    for (let count = 0; count <= batch.length; count++) {
      const handle = await new MemoryDriver(new MemoryStorage()).create(session.header, all.slice(0, 3 + count))
      expect(await countStored(handle, batch)).toBe(count)
    }
  })

  it.each([
    ['other bytes', (body: Uint8Array) => body.map(byte => byte ^ 1)],
    ['fewer bytes', (body: Uint8Array) => body.subarray(1)],
  ])('refuses %s in the place of a record', async (_, change) => {
    const all = await records(session)
    const changed = all.map((record, index) => (index === 4 ? { ...record, body: change(record.body) } : record))
    const handle = await driver.create(session.header, changed)
    await expect(countStored(handle, all.slice(3))).rejects.toMatchObject({ code: 'SEQ_CONFLICT', seq: all[4]!.seq })
  })

  it('refuses records behind the batch, which somebody else must have written', async () => {
    const all = await records(session)
    const handle = await driver.create(session.header, all)
    await expect(countStored(handle, all.slice(3, 5))).rejects.toMatchObject({ code: 'SEQ_CONFLICT', seq: all[5]!.seq })
  })
})
