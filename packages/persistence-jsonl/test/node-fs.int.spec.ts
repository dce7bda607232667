import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeFileSystem as fs } from '../src/node-fs.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'node-fs-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

describe('nodeFileSystem', () => {
  it('keeps files and directories to their owner', async () => {
    await fs.mkdir(join(root, 'directory'))
    for (const flag of ['create', 'replace'] as const) {
      await fs.close(await fs.open(join(root, flag), flag))
      expect(statSync(join(root, flag)).mode & 0o777).toBe(0o600)
    }
    expect(statSync(join(root, 'directory')).mode & 0o777).toBe(0o700)
  })

  it('creates a file once, replaces its contents, and wants one to be there otherwise', async () => {
    const path = join(root, 'file')
    for (const flag of ['read', 'write'] as const)
      await expect(fs.open(path, flag)).rejects.toMatchObject({ code: 'ENOENT' })
    const fd = await fs.open(path, 'create')
    expect(await fs.write(fd, Buffer.from('abc'), 0)).toBe(3)
    await fs.fdatasync(fd)
    await fs.ftruncate(fd, 2)
    const into = Buffer.alloc(5)
    expect(await fs.read(fd, into, 1)).toBe(1)
    expect(await fs.read(fd, into, 9)).toBe(0)
    expect(await fs.fstat(fd)).toMatchObject({ kind: 'file', size: 2, nlink: 1 })
    await expect(fs.open(path, 'create')).rejects.toMatchObject({ code: 'EEXIST' })
    await fs.close(await fs.open(path, 'replace'))
    expect((await fs.lstat(path)).size).toBe(0)
    await fs.unlink(path)
    expect((await fs.fstat(fd)).nlink).toBe(0)
    await fs.close(fd)
  })

  it('writes through to a file that is there, over what it held', async () => {
    const path = join(root, 'file')
    await expect(fs.open(path, 'write-through')).rejects.toMatchObject({ code: 'ENOENT' })
    writeFileSync(path, 'abcdef')
    const fd = await fs.open(path, 'write-through')
    expect(await fs.writeThrough(fd, Buffer.from('XYZ'), 4)).toBe(3)
    expect(fs.now.fstat(fd)).toEqual(await fs.fstat(fd))
    expect(fs.now.fstat(fd).size).toBe(7)
    await fs.close(fd)
    expect(readFileSync(path, 'utf8')).toBe('abcdXYZ')
  })

  it.skipIf(process.platform === 'win32')('waits for nobody to write into a pipe', async () => {
    const path = join(root, 'pipe')
    execFileSync('mkfifo', [path])
    const fds = [fs.now.open(path), await fs.open(path, 'read')]
    for (const fd of fds) expect(fs.now.fstat(fd).kind).toBe('other')
    for (const fd of fds) fs.now.close(fd)
  })

  it('follows no link', async () => {
    writeFileSync(join(root, 'target'), 'x')
    symlinkSync(join(root, 'target'), join(root, 'link'))
    for (const flag of ['read', 'write', 'write-through', 'replace'] as const) {
      await expect(fs.open(join(root, 'link'), flag)).rejects.toMatchObject({ code: 'ELOOP' })
    }
    expect(() => fs.now.open(join(root, 'link'))).toThrow('ELOOP')
    expect((await fs.lstat(join(root, 'link'))).kind).toBe('other')
  })

  it('moves, lists, syncs and removes', async () => {
    await fs.mkdir(join(root, 'a'))
    writeFileSync(join(root, 'file'), 'abc')
    await fs.rename(join(root, 'a'), join(root, 'b'))
    await fs.syncDirectory(root)
    expect((await fs.readdir(root)).sort()).toEqual(['b', 'file'])
    expect(fs.now.readdir(root).sort()).toEqual(['b', 'file'])
    expect(fs.now.entries(root).sort((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: 'b', kind: 'directory' },
      { name: 'file', kind: 'file' },
    ])
    const fd = fs.now.open(join(root, 'file'))
    expect(fs.now.size(fd)).toBe(3)
    expect(fs.now.read(fd, Buffer.alloc(9), 1)).toBe(2)
    fs.now.close(fd)
    expect([fs.now.exists(root), fs.now.exists(join(root, 'none'))]).toEqual([true, false])
    await fs.rmdir(join(root, 'b'))
    await expect(fs.syncDirectory(join(root, 'b'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
