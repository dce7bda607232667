import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { driverConformance } from '@dsh/persistence/conformance'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SqliteDriver, sqliteManifest } from '../src/driver.js'
import { rotBody } from './support/damage.js'
import { collect, header, plain, prompt, sampleEvents, toRecords } from './support/records.js'
import { temporaryFile } from './support/temporary.js'

describe('a database in a thread of its own', () => {
  it('does everything that one in this thread does', async () => {
    const driver = new SqliteDriver({ file: temporaryFile(), durability: 'none' })
    onTestFinished(() => driver.close())
    const records = toRecords(sampleEvents(3_000))
    const handle = await driver.create(header(), records)
    await handle.append(3_000, toRecords([prompt(3_000, 'needle')]))
    expect((await collect(handle.read({}))).slice(0, -1).map(plain)).toEqual(records.map(plain))
    expect((await driver.search('needle', {})).hits).toMatchObject([{ id: 's', seq: 3_000 }])
    expect(driver.exists(header().id)).toBe(true)
    await expect(driver.open(header().id, 'write')).rejects.toMatchObject({ code: 'SESSION_LOCKED', session: 's' })
    await handle.close()
    await driver.remove(header().id)
    expect(await driver.list({})).toEqual({ entries: [] })
  })

  it('lets a process end that forgot to close it, with everything stored', async () => {
    const file = temporaryFile()
    const script = fileURLToPath(new URL('./children/forget.ts', import.meta.url))
    await promisify(execFile)(process.execPath, [script, file], { timeout: 15_000 })
    const driver = new SqliteDriver({ file })
    onTestFinished(() => driver.close())
    expect((await driver.open(header().id, 'write')).nextSeq).toBe(1)
  })
})

// The whole suite again takes a while: each of its drivers starts a thread.
if (process.env.DSH_FULL === '1') {
  driverConformance({ ...sqliteManifest, name: 'threaded sqlite' }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dsh-sqlite-'))
    const file = join(directory, 'sessions.db')
    return {
      connect: () => new SqliteDriver({ file, durability: 'none' }),
      damage: id => rotBody(file, id),
      dispose: () => rm(directory, { recursive: true, force: true }),
    }
  })
}
