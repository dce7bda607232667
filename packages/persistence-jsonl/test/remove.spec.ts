import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { LOCKS, STAGING, TRASH } from '../src/layout.js'
import { directoryOf, driverOn, MemoryDisk, putFile, ROOT } from './support/memory-root.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

const id = 's' as SessionId
const records = toRecords(sampleEvents(5))

async function stored(...ids: string[]): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  for (const each of ids) await (await driverOn(disk).create(header(each), records)).close()
  return disk
}

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
    const { crashStates } = await import('./support/crash-states.js')
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
    const disk = await stored('s')
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
})
