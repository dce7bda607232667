import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDirectories } from '../src/directories.js'
import { nodeFileSystem } from '../src/node-fs.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'directories-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

describe('makeDirectories', () => {
  it('creates what is missing above the directory, and takes what is there', async () => {
    const path = join(root, 'a', 'b', 'c')
    const created: string[] = []
    await makeDirectories(nodeFileSystem, path, each => created.push(each))
    expect(statSync(path).isDirectory()).toBe(true)
    expect(created).toEqual(expect.arrayContaining([join(root, 'a'), join(root, 'a', 'b'), path]))
    await makeDirectories(nodeFileSystem, path, each => expect.fail(each))
  })

  it('fails below a link that leads nowhere, as to a volume that is not mounted', async () => {
    symlinkSync(join(root, 'unmounted'), join(root, 'link'))
    const creating = makeDirectories(nodeFileSystem, join(root, 'link', 'sessions'), () => {})
    await expect(creating).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
