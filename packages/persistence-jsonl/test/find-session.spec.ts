import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { nextTrashName } from '../src/find-session.js'
import { TRASH } from '../src/layout.js'
import {
  directoryOf,
  driverOn,
  logFile,
  MemoryDisk,
  putFile,
  ROOT,
  storedOn,
  trashDirectoryOf,
} from './support/memory-root.js'
import { header, lines, sampleEvents, toRecords } from './support/records.js'

const records = toRecords(sampleEvents(5))
const id = 'lost/id' as SessionId
const name = directoryOf(id).split('/').at(-1)! as SessionId
const numbered = (number: number) => `${name}.${number}` as SessionId
const trashed = { trashed: true } as const

/** A disk with a session whose header cannot be read, and one that is well. */
async function damaged(): Promise<MemoryDisk> {
  const disk = await storedOn(new MemoryDisk(), records, id, 'well')
  blotHeader(disk, directoryOf(id))
  return disk
}

function blotHeader(disk: MemoryDisk, directory: string): void {
  const node = disk.find(`${directory}/log-0.jsonl`)
  if (node?.kind !== 'file') throw new Error(`there is no log in ${directory}`)
  node.bytes = Buffer.from(node.bytes).fill(0x20, 0, 9)
  node.durable = node.bytes
}

async function listed(disk: MemoryDisk, query = {}): Promise<string[]> {
  return (await driverOn(disk).list(query)).entries.map(entry => entry.id).sort()
}

describe('a session whose header cannot be read', () => {
  it('is removed by the name that a list shows', async () => {
    const disk = await damaged()
    expect(await listed(disk)).toEqual([name, 'well'])
    const driver = driverOn(disk)
    await driver.remove(name)
    expect(await listed(disk)).toEqual(['well'])
    await expect(driver.remove(name)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', session: name })
  })

  it('goes to the trash, comes back, and is removed from there by that name', async () => {
    const disk = await damaged()
    const driver = driverOn(disk)
    await driver.trash(name)
    expect(await listed(disk)).toEqual(['well'])
    expect(await listed(disk, trashed)).toEqual([name])
    await driver.restore(name)
    expect(await listed(disk)).toEqual([name, 'well'])
    await driver.trash(name)
    await driver.remove(name, trashed)
    expect(await listed(disk, trashed)).toEqual([])
    await expect(driver.restore(name)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  it('goes and comes back by its true id, where somebody knows it', async () => {
    const disk = await damaged()
    const driver = driverOn(disk)
    await driver.trash(id)
    await driver.restore(id)
    expect(await listed(disk)).toEqual([name, 'well'])
    await driver.remove(id)
    expect(await listed(disk)).toEqual(['well'])
  })

  it('is told apart in the trash from others of its id by the number in the name', async () => {
    const disk = await storedOn(new MemoryDisk(), records, 'well')
    const driver = driverOn(disk)
    for (const createdAt of [0, 1, 2, 3]) {
      await (await driver.create(header(id, { createdAt }), records)).close()
      await driver.trash(id)
    }
    for (const suffix of ['', '.2']) blotHeader(disk, trashDirectoryOf(id) + suffix)
    expect(await listed(disk, trashed)).toEqual([id, id, name, numbered(2)].sort())
    await driver.remove(name, trashed)
    expect(await listed(disk, trashed)).toEqual([id, id, numbered(2)].sort())
    // What is listed by its id is not found by a name.
    for (const readable of [1, 3, 4]) {
      await expect(driver.remove(numbered(readable), trashed)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    await driver.restore(numbered(2))
    expect(await listed(disk)).toEqual([name, 'well'].sort())
    await driver.remove(id, trashed)
    expect(await listed(disk, trashed)).toEqual([])
  })

  it('is refused as damaged where it is opened by that name', async () => {
    const driver = driverOn(await damaged())
    for (const mode of ['read', 'write'] as const) {
      await expect(driver.open(name, mode)).rejects.toMatchObject({ code: 'SESSION_CORRUPT', line: 1, byte: 0 })
      await expect(driver.open(`${name}0` as SessionId, mode)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
  })

  it('is read as far as that goes by that name, with the header where a later part has it', async () => {
    const disk = await damaged()
    const read = async () => {
      const { header: head, items } = await driverOn(disk).readTolerant(name)
      const found = []
      for await (const item of items) if (item.kind === 'records') found.push(...item.records)
      return { head, found: lines(found) }
    }
    expect(await read()).toEqual({ head: undefined, found: lines(records) })
    const { bytes } = logFile(await storedOn(new MemoryDisk(), [], id), id)
    await putFile(disk, `${directoryOf(id)}/log-5.jsonl`, bytes)
    expect(await read()).toEqual({ head: header(id), found: lines(records) })
  })

  it('is refused while somebody has the session', async () => {
    const disk = await storedOn(new MemoryDisk(), records, 'well')
    const driver = driverOn(disk)
    const handle = await driver.create(header(id), records)
    blotHeader(disk, directoryOf(id))
    for (const take of [() => driver.remove(name), () => driver.trash(name)]) {
      await expect(take()).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    }
    await handle.close()
  })
})

describe('the name of a directory', () => {
  it('leads to no session whose header can be read', async () => {
    const disk = await storedOn(new MemoryDisk(), records, 's')
    const driver = driverOn(disk)
    const slug = directoryOf('s').split('/').at(-1)! as SessionId
    for (const take of [
      () => driver.remove(slug),
      () => driver.trash(slug),
      () => driver.readTolerant(slug),
      () => driver.open(slug, 'read'),
    ]) {
      await expect(take()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    await driver.trash('s' as SessionId)
    for (const take of [() => driver.restore(slug), () => driver.remove(slug, trashed)]) {
      await expect(take()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    expect(await listed(disk, trashed)).toEqual(['s'])
  })

  it('stands behind the id of a stored session that is called that', async () => {
    const disk = await damaged()
    const driver = driverOn(disk)
    await (await driver.create(header(name), records)).close()
    await driver.remove(name)
    expect(disk.find(directoryOf(name))).toBeUndefined()
    expect(disk.find(directoryOf(id))).toBeDefined()
  })

  it('leads nowhere else, whatever it looks like', async () => {
    const disk = await damaged()
    await putFile(disk, '/log-0.jsonl', 'outside')
    await putFile(disk, `${ROOT}/notes/log-book.txt`, 'of somebody else')
    await putFile(disk, `${ROOT}/${TRASH}/notes/log-book.txt`, 'of somebody else')
    const driver = driverOn(disk)
    const names = ['..', '.', '', '/', ROOT, `..${ROOT}/${name}`, `./${name}`, `${name}/`, `.${name}`, TRASH, '.locks']
    for (const each of [
      ...names,
      'notes',
      'notes.1',
      'x'.repeat(200),
      'x'.repeat(5_000),
      `${name}\u0000`,
    ] as SessionId[]) {
      const takes = [
        () => driver.remove(each),
        () => driver.trash(each),
        () => driver.restore(each),
        () => driver.remove(each, trashed),
        () => driver.readTolerant(each),
        () => driver.open(each, 'read'),
        () => driver.open(each, 'write'),
      ]
      for (const take of takes) await expect(take()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    for (const path of ['/log-0.jsonl', `${ROOT}/notes/log-book.txt`, `${ROOT}/${TRASH}/notes/log-book.txt`]) {
      expect(disk.find(path), path).toBeDefined()
    }
    expect(disk.find(directoryOf(id))).toBeDefined()
  })

  it('leads to no session that cannot be looked at for the moment', async () => {
    const disk = await damaged()
    disk.faultFor = ({ name: operation }) => (operation === 'open' ? { kind: 'before', code: 'EMFILE' } : undefined)
    const driver = driverOn(disk)
    for (const take of [() => driver.remove(name), () => driver.trash(name), () => driver.open(name, 'read')]) {
      await expect(take()).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'EMFILE' } })
    }
    expect(disk.find(directoryOf(id))).toBeDefined()
  })

  it('leads to what is left of a session whose log somebody deleted', async () => {
    const disk = await damaged()
    await disk.unlink(`${directoryOf(id)}/log-0.jsonl`)
    expect(await listed(disk)).toEqual([name, 'well'].sort())
    await driverOn(disk).remove(name)
    expect(await listed(disk)).toEqual(['well'])
  })
})

describe('nextTrashName', () => {
  it('counts on from the last', () => {
    expect(nextTrashName('s', [])).toBe('s')
    expect(nextTrashName('s', ['s'])).toBe('s.1')
    expect(nextTrashName('s', ['s.1', 's.9'])).toBe('s.10')
  })
})
