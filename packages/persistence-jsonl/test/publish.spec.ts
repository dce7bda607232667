import { describe, expect, it } from 'vitest'
import { STAGING } from '../src/layout.js'
import { checkSession } from '../src/publish.js'
import type { Operation } from './support/memory-disk.js'
import { directoryOf, driverOn, logFile, MemoryDisk, ROOT } from './support/memory-root.js'
import { event, header, sampleEvents, toRecords } from './support/records.js'

const records = toRecords(sampleEvents(20))

function staged(disk: MemoryDisk): string[] {
  const node = disk.find(`${ROOT}/${STAGING}`)
  return node?.kind === 'directory' ? [...node.entries.keys()] : []
}

describe('publishing a session', () => {
  it('syncs the log, its directory and the root, in this order around the rename', async () => {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    await driver.create(header('first'), [])
    const before = disk.operations.length
    await driver.create(header(), records)
    const changing = new Set(['write', 'fdatasync', 'syncDirectory', 'rename'])
    const done = disk.operations.slice(before).filter(({ name }) => changing.has(name))
    const shorten = ({ name, path }: Operation) =>
      `${name} ${path.replace(directoryOf('s'), 'DIR').replace(/^.*\/s-\w+/, 'STAGED')}`
    expect(done.map(shorten)).toEqual([
      'write STAGED/log-0.jsonl',
      'fdatasync STAGED/log-0.jsonl',
      'syncDirectory STAGED',
      'rename STAGED',
      `syncDirectory ${ROOT}`,
    ])
  })

  it('asks the root for nothing but the one session, however many it holds', async () => {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    for (let index = 0; index < 20; index++) await (await driver.create(header(`other-${index}`), [])).close()
    const before = disk.operations.length
    await (await driver.create(header(), records)).close()
    await (await driver.open(header().id, 'write')).close()
    const paths = disk.operations.slice(before).map(({ path }) => path)
    expect(paths.filter(path => path.includes('other-'))).toEqual([])
    expect(disk.operations.slice(before).filter(({ name, path }) => name === 'readdir' && path === ROOT)).toEqual([])
  })

  it('leaves nothing behind when it fails', async () => {
    for (const operation of ['write', 'fdatasync', 'rename', 'syncDirectory']) {
      const disk = new MemoryDisk()
      const driver = driverOn(disk)
      await driver.create(header('first'), [])
      disk.faultFor = ({ name }) => (name === operation ? { kind: 'before', code: 'ENOSPC' } : undefined)
      await expect(driver.create(header(), records)).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        details: { indeterminate: false, errno: 'ENOSPC' },
      })
      expect(driver.exists(header().id)).toBe(false)
      expect(staged(disk)).toEqual([])
      disk.faultFor = () => undefined
      expect((await driver.create(header(), records)).nextSeq).toBe(20)
    }
  })

  it('says that it cannot tell when the name may have become durable', async () => {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    await driver.create(header('first'), [])
    let renames = 0
    disk.faultFor = ({ name, path }) => {
      if (name === 'rename') renames++
      const isAfterwards = renames > 0 && (name === 'syncDirectory' || (name === 'rename' && renames > 1))
      return isAfterwards && !path.includes(STAGING) ? { kind: 'before', code: 'EIO' } : undefined
    }
    await expect(driver.create(header(), records)).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      details: { indeterminate: true },
    })
  })

  it('clears away what a process left that was killed while it published', async () => {
    const disk = new MemoryDisk()
    await driverOn(disk).create(header('first'), [])
    const { slugs } = await leaveStaged(disk, ['killed', 'other'])
    expect(staged(disk).sort()).toEqual(slugs)
    await driverOn(disk).create(header('killed'), records)
    expect(staged(disk)).toEqual([])
  })

  it('takes the place of an empty directory, and of no other', async () => {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    await driver.connect()
    await disk.mkdir(directoryOf('s'))
    await (await driver.create(header(), [])).close()
    await disk.unlink(`${directoryOf('s')}/log-0.jsonl`)
    await disk.mkdir(`${directoryOf('s')}/something`)
    await expect(driver.create(header(), [])).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
  })

  it('gives way to somebody who takes no lock and was quicker', async () => {
    const disk = new MemoryDisk()
    const driver = driverOn(disk)
    await driver.create(header('first'), [])
    disk.faultFor = ({ name }) => {
      const root = disk.find(ROOT)
      const theirs = disk.find(directoryOf('first'))
      const slug = directoryOf('s').slice(ROOT.length + 1)
      if (name === 'rename' && root?.kind === 'directory') root.entries.set(slug, theirs!)
      return undefined
    }
    await expect(driver.create(header(), records)).rejects.toMatchObject({
      code: 'SESSION_ALREADY_EXISTS',
      session: 's',
    })
    expect(staged(disk)).toEqual([])
  })

  it('writes a large first batch as batches of about a megabyte', async () => {
    const disk = new MemoryDisk()
    const large = toRecords(Array.from({ length: 30 }, (_, seq) => event(seq, 'x'.repeat(100_000))))
    await driverOn(disk).create(header(), large)
    const commits = logFile(disk)
      .bytes.toString()
      .match(/^\{"type":"commit"/gm)
    expect(commits!.length).toBeGreaterThan(2)
  })
})

async function leaveStaged(disk: MemoryDisk, ids: string[]): Promise<{ slugs: string[] }> {
  const slugs = ids.map(id => directoryOf(id).slice(ROOT.length + 1)).sort()
  for (const slug of slugs) {
    await disk.mkdir(`${ROOT}/${STAGING}/${slug}`)
    await disk.close(await disk.open(`${ROOT}/${STAGING}/${slug}/log-0.jsonl`, 'create'))
  }
  return { slugs }
}

describe('checkSession', () => {
  it.each([
    ['a log that is shorter than what it inherited', header('s', { seedLength: 21 }), 'INVALID_EVENT'],
    ['a header that is none', header('s', { createdAt: 1.5 }), 'INVALID_EVENT'],
    ['a header of another version', header('s', { version: 2 }), 'FORMAT_UNSUPPORTED'],
  ])('refuses %s', (_, head, code) => {
    expect(() => checkSession(head, records)).toThrow(expect.objectContaining({ code }))
  })

  it('takes a session that inherits all it has', () => {
    checkSession(header('s', { seedLength: 20 }), records)
    checkSession(header('s', { seedLength: 0 }), [])
  })
})
