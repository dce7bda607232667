import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { LOCKS, STAGING } from '../src/layout.js'
import { crashStates } from './support/crash-states.js'
import { directoryOf, driverOn, MemoryDisk, putFile, ROOT, storedOn, trashDirectoryOf } from './support/memory-root.js'
import { collect, header, lines, sampleEvents, toRecords } from './support/records.js'

const id = 's' as SessionId
const records = toRecords(sampleEvents(5))

const stored = (...ids: string[]) => storedOn(new MemoryDisk(), records, ...ids)

function filesOf(disk: MemoryDisk, path = ROOT): string[] {
  const node = disk.find(path)
  if (node?.kind !== 'directory') return [path]
  return [...node.entries.keys()].flatMap(name => filesOf(disk, `${path}/${name}`))
}

describe('remove', () => {
  it('leaves nothing of a session but its lock file', async () => {
    const disk = await stored('s')
    await putFile(disk, `${directoryOf('s')}/cut-12-abc.bytes`, 'saved by a recovery')
    await driverOn(disk).remove(id)
    expect(filesOf(disk).filter(path => !path.includes(LOCKS))).toEqual([])
  })

  it('survives a power cut: the session is gone or whole', async () => {
    const disk = await stored('s')
    let states = 0
    disk.afterChange = async () => {
      for (const state of crashStates(disk)) {
        states++
        const driver = driverOn(state)
        if (!driver.exists(id)) continue
        const handle = await driver.open(id, 'write')
        expect(lines(await collect(handle.read({})))).toEqual(lines(records))
      }
    }
    await driverOn(disk).remove(id)
    disk.afterChange = () => undefined
    expect(states).toBeGreaterThan(5)
  })

  it('finishes what it could not the first time', async () => {
    const disk = await stored('s')
    disk.faultFor = ({ name }) => (name === 'unlink' ? { kind: 'before', code: 'EIO' } : undefined)
    const driver = driverOn(disk)
    await expect(driver.remove(id)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    expect(driver.exists(id)).toBe(false)
    disk.faultFor = () => undefined
    await driver.remove(id)
    expect(filesOf(disk).filter(path => path.includes(STAGING) && path.includes('log-'))).toEqual([])
    await expect(driver.remove(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  it('removes a session that is too broken to be opened', async () => {
    const disk = await stored('s')
    await putFile(disk, `${directoryOf('s')}/log-0.jsonl`, Buffer.alloc(500))
    await driverOn(disk).remove(id)
    expect(driverOn(disk).exists(id)).toBe(false)
  })

  it('refuses to remove a session that somebody put in the place of another', async () => {
    const disk = await stored('s', 't')
    await disk.rename(directoryOf('t'), `${ROOT}/.kept`)
    await disk.rename(directoryOf('s'), directoryOf('t'))
    await expect(driverOn(disk).remove('t' as SessionId)).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    expect(driverOn(disk).exists('t' as SessionId)).toBe(true)
  })
})

describe('remove from the trash', () => {
  const trashed = { trashed: true } as const

  /** A disk with sessions of one id in the trash, told apart by their creation, and one that is stored. */
  async function trashOf(count: number): Promise<MemoryDisk> {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    for (let createdAt = 0; createdAt <= count; createdAt++) {
      await (await driver.create(header('s', { createdAt }), records)).close()
      if (createdAt < count) await driver.trash(id)
    }
    return disk
  }

  /** The sessions in the trash, each read whole, oldest first. */
  async function contents(disk: MemoryDisk): Promise<unknown[]> {
    const driver = driverOn(disk)
    const { entries } = await driver.list(trashed)
    expect(entries.filter(({ state }) => state === 'corrupt')).toEqual([])
    const found: unknown[] = []
    await driver.remove(id)
    for (const _ of entries) {
      await driver.restore(id)
      const handle = await driver.open(id, 'write')
      expect(lines(await collect(handle.read({})))).toEqual(lines(records))
      found.unshift(handle.header.createdAt)
      await handle.close()
      await driver.remove(id)
    }
    return found
  }

  it('leaves nothing of the sessions that had the id, and the stored one whole', async () => {
    const disk = await trashOf(3)
    await putFile(disk, `${trashDirectoryOf('s')}.1/cut-12-abc.bytes`, 'saved by a recovery')
    await driverOn(disk).remove(id, trashed)
    expect(filesOf(disk).filter(path => !path.includes(LOCKS))).toEqual([`${directoryOf('s')}/log-0.jsonl`])
    expect((await driverOn(disk).open(id, 'read')).header.createdAt).toBe(3)
  })

  it('survives a power cut: those that are left are whole, and the first ones', async () => {
    const disk = await trashOf(3)
    const seen = new Set<string>()
    let failure: unknown
    disk.afterChange = async () => {
      try {
        for (const state of crashStates(disk)) seen.add(JSON.stringify(await contents(state)))
      } catch (error) {
        failure ??= error
      }
    }
    await driverOn(disk).remove(id, trashed)
    expect(failure).toBeUndefined()
    expect([...seen]).toEqual(['[0,1,2]', '[0,1]', '[0]', '[]'])
  })

  it('goes on where it was stopped, whichever operation fails and however', async () => {
    const disk = await trashOf(2)
    const before = disk.operations.length
    await driverOn(disk).remove(id, trashed)
    const operations = disk.operations.slice(before)
    expect(operations.length).toBeGreaterThan(10)
    for (const at of operations.keys()) {
      for (const kind of ['before', 'after'] as const) {
        const failing = await trashOf(2)
        const start = failing.operations.length
        failing.faultFor = (_, index) => (index === start + at ? { kind, code: 'EIO' } : undefined)
        const driver = driverOn(failing)
        const error = await driver.remove(id, trashed).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        failing.faultFor = () => undefined
        if (error !== undefined) {
          expect(error).toMatchObject({ code: 'STORAGE_FAILED' })
          const { entries } = await driver.list(trashed)
          expect(entries.filter(({ state }) => state === 'corrupt')).toEqual([])
          expect(entries.map(({ header: head }) => head?.createdAt)).toEqual([0, 1].slice(0, entries.length))
          await driver.remove(id, trashed).catch(again => expect(again).toMatchObject({ code: 'SESSION_NOT_FOUND' }))
        }
        const files = filesOf(failing).filter(path => !path.includes(LOCKS))
        expect({ at, kind, files }).toEqual({ at, kind, files: [`${directoryOf('s')}/log-0.jsonl`] })
      }
    }
  })

  it('removes a session that is too broken to be opened', async () => {
    const disk = await trashOf(2)
    await putFile(disk, `${trashDirectoryOf('s')}/log-0.jsonl`, Buffer.alloc(500))
    await driverOn(disk).remove(id, trashed)
    expect((await driverOn(disk).list(trashed)).entries).toEqual([])
  })

  it('removes none of several where one belongs to another id', async () => {
    const disk = await storedOn(await trashOf(2), records, 't')
    await driverOn(disk).trash('t' as SessionId)
    await disk.rename(`${trashDirectoryOf('s')}.1`, `${ROOT}/.kept`)
    await disk.rename(trashDirectoryOf('t'), `${trashDirectoryOf('s')}.1`)
    await expect(driverOn(disk).remove(id, trashed)).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    expect((await driverOn(disk).list(trashed)).entries).toHaveLength(2)
  })
})
