import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureDirectory, lookUp, makeDirectories, moveDirectory, removeTree } from '../src/directories.js'
import { nodeFileSystem } from '../src/node-fs.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'directories-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

describe('makeDirectories', () => {
  it('creates what is missing above the directory, tells of it, and takes what is there', async () => {
    const path = join(root, 'a', 'b', 'c')
    const created = new Set<string>()
    await makeDirectories(nodeFileSystem, path, each => created.add(each))
    expect(created).toEqual(new Set([join(root, 'a'), join(root, 'a', 'b'), path]))
    expect(statSync(path).mode & 0o777).toBe(0o700)
    await makeDirectories(nodeFileSystem, path, each => expect.unreachable(each))
  })

  it('fails below a link that leads nowhere, as to a volume that is not mounted', async () => {
    symlinkSync(join(root, 'unmounted'), join(root, 'link'))
    const creating = makeDirectories(nodeFileSystem, join(root, 'link', 'sessions'), () => {})
    await expect(creating).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('fails below a file', async () => {
    writeFileSync(join(root, 'file'), '')
    const creating = makeDirectories(nodeFileSystem, join(root, 'file', 'sessions'), () => {})
    await expect(creating).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})

describe('ensureDirectory', () => {
  it('refuses a link in the place of a directory, which could lead out of the root', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'))
    symlinkSync(elsewhere, join(root, '.locks'))
    await expect(ensureDirectory(nodeFileSystem, root, '.locks')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    rmSync(elsewhere, { recursive: true })
  })

  it('takes a directory that is there', async () => {
    await ensureDirectory(nodeFileSystem, root, '.locks')
    expect(await ensureDirectory(nodeFileSystem, root, '.locks')).toBe(join(root, '.locks'))
  })
})

describe('removeTree', () => {
  it('removes links and leaves what they lead to', async () => {
    mkdirSync(join(root, 'kept'))
    writeFileSync(join(root, 'kept', 'file'), 'x')
    mkdirSync(join(root, 'tree', 'deep'), { recursive: true })
    symlinkSync(join(root, 'kept'), join(root, 'tree', 'deep', 'link'))
    await removeTree(nodeFileSystem, join(root, 'tree'))
    expect(readdirSync(root)).toEqual(['kept'])
    expect(readdirSync(join(root, 'kept'))).toEqual(['file'])
    await removeTree(nodeFileSystem, join(root, 'tree'))
  })
})

describe('lookUp', () => {
  it('sees a link itself, and nothing where there is nothing', async () => {
    symlinkSync(root, join(root, 'link'))
    expect((await lookUp(nodeFileSystem, join(root, 'link')))?.kind).toBe('other')
    expect(await lookUp(nodeFileSystem, join(root, 'none'))).toBeUndefined()
  })
})

describe('moveDirectory', () => {
  it('takes a rename for done that was reported as failed', async () => {
    mkdirSync(join(root, 'from'))
    const rename = async (from: string, to: string) => {
      await nodeFileSystem.rename(from, to)
      throw Object.assign(new Error('EIO: rename'), { code: 'EIO' })
    }
    await moveDirectory({ ...nodeFileSystem, rename }, join(root, 'from'), join(root, 'to'))
    expect(readdirSync(root)).toEqual(['to'])
  })

  it('fails when nothing was moved', async () => {
    mkdirSync(join(root, 'from'))
    const rename = () => Promise.reject(Object.assign(new Error('EPERM: rename'), { code: 'EPERM' }))
    const moving = moveDirectory({ ...nodeFileSystem, rename }, join(root, 'from'), join(root, 'to'))
    await expect(moving).rejects.toMatchObject({ code: 'EPERM' })
  })
})
