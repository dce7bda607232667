import type { Locker } from '@dsh/persistence/lock'
import { describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { driverOn, MemoryDisk, ROOT } from './support/memory-root.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

describe('a handle for writing', () => {
  it('keeps appends in order and refuses those that come for an earlier end', async () => {
    const handle = await driverOn(new MemoryDisk()).create(header(), [])
    const [first, second, third] = [[event(0)], [event(0, 'again')], [event(1)]].map(events => toRecords(events))
    const results = await Promise.allSettled([
      handle.append(0, first!),
      handle.append(0, second!),
      handle.append(1, third!),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((results[1] as PromiseRejectedResult).reason).toMatchObject({
      code: 'SEQ_CONFLICT',
      details: { expectedSeq: 0, currentSeq: 1 },
    })
    expect(lines(await collect(handle.read({})))).toEqual(lines([...first!, ...third!]))
  })

  it('refuses records that would not be read back, and stores none of them', async () => {
    const handle = await driverOn(new MemoryDisk()).create(header(), [])
    const [good] = toRecords([event(0)])
    const bad = { ...toRecords([event(1)])[0]!, body: Buffer.from('{\n}') }
    await expect(handle.append(0, [good!, bad])).rejects.toMatchObject({ code: 'INVALID_EVENT' })
    expect(await collect(handle.read({}))).toEqual([])
    await handle.append(0, [good!])
  })

  it('writes nothing for an append without records', async () => {
    const disk = new MemoryDisk()
    const handle = await driverOn(disk).create(header(), [])
    const before = disk.operations.length
    await handle.append(0, [])
    expect(disk.operations).toHaveLength(before)
  })

  it('waits with closing for an append that is under way, and then refuses more', async () => {
    const disk = new MemoryDisk()
    const handle = await driverOn(disk).create(header(), [])
    const appending = handle.append(0, toRecords([event(0)]))
    const closing = handle.close()
    await expect(handle.append(1, toRecords([event(1)]))).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    await Promise.all([appending, closing])
    const found = await driverOn(disk).open(header().id, 'read')
    expect(found.nextSeq).toBe(1)
  })

  it('holds batches against their checksums again after the first read', async () => {
    const disk = new MemoryDisk()
    await (await driverOn(disk).create(header(), toRecords(sampleEvents(10)))).close()
    const handle = await driverOn(disk).open(header().id, 'write')
    expect(await collect(handle.read({}))).toHaveLength(toRecords(sampleEvents(10)).length)
    const file = disk.find(disk.operations.findLast(({ name }) => name === 'open')!.path)
    if (file?.kind === 'file') file.bytes = Buffer.from(file.bytes.toString().replace('prompt', 'promqt'))
    await expect(collect(handle.read({}))).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
  })

  it('appends nothing once the lock is not its own any more', async () => {
    let isHeld = true
    const locker: Locker = {
      acquire: async () => ({ claim: async () => {}, isHeld: async () => isHeld, release: async () => {} }),
    }
    const driver = new JsonlDriver({ root: ROOT }, { fs: new MemoryDisk(), locker })
    const handle = await driver.create(header(), [])
    await handle.append(0, toRecords([event(0)]))
    isHeld = false
    await expect(handle.append(1, toRecords([event(1)]))).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    expect(handle.nextSeq).toBe(1)
  })
})
