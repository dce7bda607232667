import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { backendNames } from '../src/backends.js'
import { openDriver, openStore } from '../src/store.js'
import { temporary } from './support/root.js'

describe.each(backendNames)('the %s backend', backend => {
  it('does not create the root that somebody only asks about', async () => {
    const root = join(temporary(), 'none')
    await expect(openStore({ root, backend })).rejects.toMatchObject({
      code: 'ROOT_NOT_FOUND',
      message: expect.stringContaining(root),
    })
    expect(existsSync(root)).toBe(false)
  })

  it('says when the root cannot be one', async () => {
    const file = join(temporary(), 'file')
    writeFileSync(file, 'neither a directory nor a database')
    await expect(openStore({ root: file, backend })).rejects.toHaveProperty('code')
    await expect(openStore({ root: join(file, 'below'), backend })).rejects.toMatchObject({ code: 'ROOT_NOT_FOUND' })
  })

  it('creates the root for records that are to be stored, which the service then reads', async () => {
    const root = join(temporary(), 'deep', 'root')
    const driver = await openDriver({ root, backend })
    await driver.close()
    const { persistence, close } = await openStore({ root, backend })
    expect(persistence.manifest.name).toBe(backend)
    expect(await persistence.list()).toEqual({ entries: [] })
    await close()
    await close()
  })
})
