import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DriverHandle } from '@dsh/persistence/driver'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDriver } from './support/driver.js'
import { collect, event, header, plain, prompt, sampleEvents, toRecords } from './support/records.js'

const stored = async (handle: DriverHandle) => (await collect(handle.read({}))).map(plain)

/** Appends one large event after the other until that fails. */
async function fill(handle: DriverHandle, length = 20_000): Promise<unknown> {
  for (;;) {
    const records = toRecords([event(handle.nextSeq, 'x'.repeat(length))])
    const error = await handle.append(handle.nextSeq, records).catch((reason: unknown) => reason)
    if (error) return error
  }
}

describe('a full disk', () => {
  it('fails the batch that does not fit, whole, and takes it when there is space again', async () => {
    const { driver } = openDriver({ maxBytes: 1 << 20 })
    const ballast = await driver.create(header('ballast'), toRecords([event(0, 'x'.repeat(300_000))]))
    await ballast.close()
    const handle = await driver.create(header(), [])
    const error = await fill(handle)
    const refusal = { code: 'STORAGE_FAILED', session: 's', details: { indeterminate: false, sqlite: 'SQLITE_FULL' } }
    expect(error).toMatchObject(refusal)
    const before = await stored(handle)
    expect(before).toHaveLength(handle.nextSeq)

    await driver.remove(header('ballast').id)
    const next = handle.nextSeq
    await handle.append(next, toRecords([event(next, 'x'.repeat(20_000))]))
    expect((await stored(handle)).slice(0, -1)).toEqual(before)
    await handle.close()
    expect((await driver.open(header().id, 'write')).nextSeq).toBe(next + 1)
  })

  it('fails a creation, which then owns and leaves nothing', async () => {
    const { driver } = openDriver({ maxBytes: 1 << 20 })
    const records = toRecords([event(0, 'x'.repeat(2 << 20))])
    const refusal = { code: 'STORAGE_FAILED', details: { indeterminate: false, sqlite: 'SQLITE_FULL' } }
    await expect(driver.create(header(), records)).rejects.toMatchObject(refusal)
    expect(await driver.list({})).toEqual({ entries: [] })
    await (await driver.create(header(), [])).close()
  })

  it('still reads, lists, searches and removes', async () => {
    const { driver } = openDriver({ maxBytes: 1 << 20 })
    const handle = await driver.create(header(), toRecords([prompt(0, 'needle')]))
    await fill(handle, 4_000)
    await handle.close()
    expect((await driver.list({})).entries).toMatchObject([{ id: 's', state: 'ok' }])
    expect((await driver.search('needle', {})).hits).toHaveLength(1)
    await driver.remove(header().id)
    expect((await driver.list({})).entries).toEqual([])
  })
})

describe('a value that the database refuses in the middle of a batch', () => {
  it('undoes the batch, uses no number, and leaves others free to write at once', async () => {
    const { driver, file } = openDriver()
    const handle = await driver.create(header(), toRecords([event(0)]))
    const [good, bad] = toRecords([event(1), event(2)])
    await expect(handle.append(1, [good!, { ...bad!, version: 0.5 }])).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    const { driver: second } = openDriver({ file, busyTimeoutMs: 0 })
    await (await second.create(header('other'), [])).close()
    await handle.append(1, [good!])
    expect(handle.nextSeq).toBe(2)
  })
})

describe('a transaction of somebody else', () => {
  it('is waited for as long as was told, and no longer', async () => {
    const { driver, file } = openDriver({ busyTimeoutMs: 20 })
    const handle = await driver.create(header(), toRecords([event(0)]))
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    const refusal = { code: 'STORAGE_FAILED', details: { indeterminate: false, sqlite: 'SQLITE_BUSY' } }
    await expect(handle.append(1, toRecords([event(1)]))).rejects.toMatchObject(refusal)
    expect(await stored(handle)).toHaveLength(1)
    other.exec('COMMIT')
    await handle.append(1, toRecords([event(1)]))
  })
})

describe('a database that goes away under its writer', () => {
  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['moved', (file: string) => renameSync(file, `${file}.moved`)],
    [
      'replaced by a copy',
      (file: string) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
    ['robbed of its log', (file: string) => rmSync(`${file}-wal`)],
  ])('is not written to any more when it was %s', async (_, attack) => {
    const { driver, file } = openDriver()
    const handle = await driver.create(header(), toRecords([event(0)]))
    attack(file)
    await expect(handle.append(1, toRecords([event(1)]))).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    await expect(driver.create(header('t'), [])).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
  })
})

describe('a lock file that was deleted', () => {
  it('lets a second writer in, and the first one out', async () => {
    const { driver, file } = openDriver()
    const first = await driver.create(header(), toRecords([event(0)]))
    const locks = `${file}.locks`
    for (const name of readdirSync(locks)) rmSync(join(locks, name))
    const { driver: other } = openDriver({
      file,
      locker: { acquire: async () => ({ claim: async () => {}, isHeld: async () => true, release: async () => {} }) },
    })
    const second = await other.open(header().id, 'write')
    await second.append(1, toRecords([event(1, 'second')]))
    await expect(first.append(1, toRecords([event(1, 'first')]))).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    expect(await stored(first)).toEqual(
      toRecords([event(0), event(1, 'second')], false)
        .map(plain)
        .slice(0, 1),
    )
    expect(await stored(second)).toHaveLength(2)
  })
})

/** Makes a file unchangeable, also for root, or changeable again. @throws where that is not possible */
function setFrozen(file: string, isFrozen: boolean): void {
  const command = 'chattr'
  execFileSync(command, [isFrozen ? '+i' : '-i', file], { stdio: 'ignore' })
}

const canFreeze = (() => {
  const directory = mkdtempSync(join(tmpdir(), 'dsh-frozen-'))
  try {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    setFrozen(file, true)
    setFrozen(file, false)
    return true
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})()

describe.runIf(canFreeze)('a file that may only be read', () => {
  it('says so when the database is opened', async () => {
    const { driver, file } = openDriver()
    await (await driver.create(header(), toRecords([event(0)]))).close()
    await driver.close()
    setFrozen(file, true)
    onTestFinished(() => setFrozen(file, false))
    const before = readFileSync(file)
    const { driver: second } = openDriver({ file })
    const refusal = {
      code: 'STORAGE_FAILED',
      expected: 'to open the database',
      details: { indeterminate: false, sqlite: 'SQLITE_READONLY' },
    }
    await expect(second.connect()).rejects.toMatchObject(refusal)
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

describe('many sessions', () => {
  it.runIf(process.platform === 'linux')('leave no open files behind', async () => {
    const { driver } = openDriver()
    const openFiles = () => readdirSync('/proc/self/fd').length
    await (await driver.create(header('first'), [])).close()
    const before = openFiles()
    for (let index = 0; index < 500; index++) {
      const { id } = header(`s${index}`)
      await (await driver.create(header(id), toRecords([event(0)]))).close()
      await (await driver.open(id, 'write')).close()
      await (await driver.open(id, 'read')).close()
    }
    expect(openFiles()).toBeLessThanOrEqual(before + 1)
  })
})

describe('the files', () => {
  it.skipIf(process.platform === 'win32')('are for their owner only', async () => {
    const { driver, file } = openDriver()
    await driver.create(header(), toRecords(sampleEvents(10)))
    for (const name of readdirSync(dirname(file))) {
      const { mode } = statSync(join(dirname(file), name))
      expect(mode & 0o077, name).toBe(0)
    }
  })

  it('are gone but for the database and the locks when it was closed', async () => {
    const { driver, file } = openDriver()
    await driver.create(header(), toRecords([event(0)]))
    driver.exists(header().id)
    await driver.close()
    expect(readdirSync(dirname(file)).sort()).toEqual(['sessions.db', 'sessions.db.locks'])
  })
})
