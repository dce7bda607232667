import { describe, expect, it } from 'vitest'
import type { StartHost } from '../src/thread.js'
import { openDriver } from './support/driver.js'
import { startHere } from './support/here.js'
import { collect, event, header, plain, sampleEvents, toRecords } from './support/records.js'

/** A host whose thread dies over the next operation of a kind, after it was carried out or before. */
function mortal() {
  let doomed: { name: string; carryOut: boolean } | undefined
  const start: StartHost = events => {
    let last: number | undefined
    const die = () => events.died(new Error('killed'))
    const host = startHere({ ...events, replied: reply => (reply.number === last ? die() : events.replied(reply)) })
    return {
      ...host,
      send(request, transfer) {
        if (request.name !== doomed?.name) return host.send(request, transfer)
        if (doomed.carryOut) {
          last = request.number
          host.send(request, transfer)
        } else setImmediate(die)
        doomed = undefined
      },
    }
  }
  return {
    start,
    dieOver: (name: string, carryOut: boolean) => {
      doomed = { name, carryOut }
    },
  }
}

describe('WriteHandle', () => {
  it('appends batches in the order of the calls', async () => {
    const { driver } = openDriver()
    const handle = await driver.create(header(), [])
    const records = toRecords(sampleEvents(50), false)
    await Promise.all(records.map(record => handle.append(record.seq, [record])))
    expect(handle.nextSeq).toBe(50)
    expect((await collect(handle.read({}))).map(plain)).toEqual(records.map(plain))
  })

  it('waits for what was asked for before it closes, and refuses what comes after', async () => {
    const { driver } = openDriver()
    const handle = await driver.create(header(), [])
    const [first, closed, late] = await Promise.allSettled([
      handle.append(0, toRecords([event(0)])),
      handle.close(),
      handle.append(1, toRecords([event(1)])),
    ])
    expect([first.status, closed.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(late).toMatchObject({ reason: { code: 'OWNERSHIP_LOST' } })
    expect((await driver.open(header().id, 'write')).nextSeq).toBe(1)
  })

  it('refuses records that do not follow each other, and stores none of them', async () => {
    const { driver } = openDriver()
    const handle = await driver.create(header(), [])
    await expect(handle.append(0, toRecords([event(0), event(2)]))).rejects.toMatchObject({ code: 'INVALID_EVENT' })
    expect(handle.nextSeq).toBe(0)
    expect(await collect(handle.read({}))).toEqual([])
  })

  it('leaves the records of a caller alone', async () => {
    const { driver } = openDriver()
    const handle = await driver.create(header(), [])
    const records = toRecords(sampleEvents(5))
    const before = records.map(plain)
    await handle.append(0, records)
    expect(records.map(plain)).toEqual(before)
  })

  it.each([true, false])('shows what became of an append whose thread died, carried out: %s', async carryOut => {
    const { start, dieOver } = mortal()
    const { driver } = openDriver({ start })
    const handle = await driver.create(header(), toRecords([event(0)]))
    dieOver('append', carryOut)
    const refusal = { code: 'STORAGE_FAILED', details: { indeterminate: true } }
    await expect(handle.append(1, toRecords([event(1)]))).rejects.toMatchObject(refusal)
    expect(await collect(handle.read({ from: 1 }))).toHaveLength(carryOut ? 1 : 0)
    expect(handle.nextSeq).toBe(carryOut ? 2 : 1)
    await handle.append(handle.nextSeq, toRecords([event(handle.nextSeq)]))
  })
})
