import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { TRASH } from '../src/layout.js'
import { directoryOf, driverOn, MemoryDisk, ROOT, storedOn, trashDirectoryOf } from './support/memory-root.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

const id = 's' as SessionId
const records = toRecords(sampleEvents(5))

describe('trash', () => {
  it('keeps every session that had an id, and gives the last one back first', async () => {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    for (const round of [0, 1, 2]) {
      const handle = await driver.create(header('s', { createdAt: round }), toRecords([event(0, round, round)]))
      await handle.close()
      await driver.trash(id)
    }
    expect((await driver.list({})).entries).toEqual([])
    const trashed = await driver.list({ trashed: true, order: 'newest' })
    expect(trashed.entries.map(({ header: head, state }) => [head?.createdAt, state])).toEqual([
      [2, 'ok'],
      [1, 'ok'],
      [0, 'ok'],
    ])
    for (const round of [2, 1, 0]) {
      await driver.restore(id)
      expect((await driver.open(id, 'read')).header.createdAt).toBe(round)
      await driver.remove(id)
    }
    await expect(driver.restore(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  it('survives a power cut: the session is at one of the two places, whole', async () => {
    const { crashStates } = await import('./support/crash-states.js')
    const disk = await storedOn(new MemoryDisk(), records, 's')
    await disk.mkdir(`${ROOT}/${TRASH}`)
    await disk.syncDirectory(ROOT)
    disk.afterChange = async () => {
      for (const state of crashStates(disk)) {
        const driver = driverOn(state)
        if (!driver.exists(id)) await driver.restore(id)
        expect(lines(await collect((await driver.open(id, 'write')).read({})))).toEqual(lines(records))
      }
    }
    await driverOn(disk).trash(id)
    await driverOn(disk).restore(id)
  })

  it('gives back the last one also when somebody took one out by hand', async () => {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    for (const createdAt of [0, 1, 2]) {
      await (await driver.create(header('s', { createdAt }), [])).close()
      await driver.trash(id)
    }
    await disk.rename(trashDirectoryOf('s'), `${ROOT}/.kept`)
    await driver.restore(id)
    expect((await driver.open(id, 'read')).header.createdAt).toBe(2)
    await driver.trash(id)
    await driver.remove(id, { trashed: true })
    expect((await driver.list({ trashed: true })).entries).toEqual([])
    expect(disk.find(directoryOf('s'))).toBeUndefined()
  })

  it('is none where it is a link that leads elsewhere', async () => {
    const disk = await storedOn(new MemoryDisk(), records, 's')
    await disk.mkdir(`${ROOT}/elsewhere`)
    await disk.rename(directoryOf('s'), `${ROOT}/elsewhere/${directoryOf('s').split('/').at(-1)}`)
    const { lstat } = disk
    disk.lstat = async path => {
      const stat = await lstat.call(disk, path)
      return path === `${ROOT}/${TRASH}` ? { ...stat, kind: 'other' } : stat
    }
    await disk.rename(`${ROOT}/elsewhere`, `${ROOT}/${TRASH}`)
    const driver = driverOn(disk)
    await expect(driver.restore(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(driver.remove(id, { trashed: true })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect(disk.find(trashDirectoryOf('s'))).toBeDefined()
  })
})
