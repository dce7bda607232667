import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createLocker } from '@dsh/persistence/lock'
import { describe, expect, it } from 'vitest'
import { LockDirectory } from '../src/lock-directory.js'
import { temporaryFile } from './support/temporary.js'

describe('LockDirectory', () => {
  it('gives a session to one owner at a time', async () => {
    const file = temporaryFile()
    const [one, other] = [new LockDirectory(file, createLocker()), new LockDirectory(file, createLocker())]
    const owner = await one.own('s')
    await expect(other.own('s')).rejects.toMatchObject({
      code: 'SESSION_LOCKED',
      details: { holder: { pid: process.pid } },
    })
    await (await other.own('t')).release()
    await owner.release()
    await (await other.own('s')).release()
  })

  it('lies beside the database, for its owner only, and is made when it is needed', async () => {
    const file = temporaryFile()
    const locks = new LockDirectory(file, createLocker())
    expect(existsSync(`${file}.locks`)).toBe(false)
    await (await locks.own('s')).release()
    if (process.platform !== 'win32') expect(statSync(`${file}.locks`).mode & 0o777).toBe(0o700)
  })

  it('is made again when somebody deleted it', async () => {
    const file = temporaryFile()
    const locks = new LockDirectory(file, createLocker())
    await (await locks.own('s')).release()
    rmSync(`${file}.locks`, { recursive: true })
    await (await locks.own('t')).release()
    expect(existsSync(`${file}.locks`)).toBe(true)
  })

  it('says why it cannot be made, and tries again', async () => {
    const file = temporaryFile()
    const below = `${file}/below`
    writeFileSync(file, '')
    const locks = new LockDirectory(below, createLocker())
    for (let time = 0; time < 2; time++) {
      const refusal = { code: 'STORAGE_FAILED', session: 's', details: { indeterminate: false } }
      await expect(locks.own('s')).rejects.toMatchObject(refusal)
    }
  })
})
