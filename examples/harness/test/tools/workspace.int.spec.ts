import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Workspace } from '../../src/tools/workspace.ts'
import { directoryWith, temporaryDirectory } from '../support/workspace.ts'

const { signal } = new AbortController()
const outside = expect.objectContaining({ code: 'OUTSIDE_WORKSPACE' })

describe('Workspace', () => {
  it('resolves paths in the directory, whether or not there is a file', async () => {
    const workspace = new Workspace(directoryWith({ 'a/b.txt': '' }))
    const { root } = workspace
    expect(await workspace.resolve('.')).toBe(root)
    expect(await workspace.resolve('./a/../a/b.txt')).toBe(join(root, 'a', 'b.txt'))
    expect(await workspace.resolve('new/deep/file.txt')).toBe(join(root, 'new', 'deep', 'file.txt'))
    expect(await workspace.resolve(join(root, 'a'))).toBe(join(root, 'a'))
  })

  it.each(['..', '../x', 'a/../../x', '/etc/passwd', '/', 'a/b/../../..'])('refuses %s', async path => {
    await expect(new Workspace(directoryWith({ 'a/b': '' })).resolve(path)).rejects.toEqual(outside)
  })

  it('refuses a sibling whose name begins like that of the directory', async () => {
    const parent = directoryWith({ 'work/a': '', 'workbench/b': '' })
    await expect(new Workspace(join(parent, 'work')).resolve('../workbench/b')).rejects.toEqual(outside)
  })

  it('refuses links that lead out, to files, folders and nothing', async () => {
    const elsewhere = directoryWith({ secret: 'x' })
    const directory = directoryWith({ 'a.txt': '' })
    symlinkSync(join(elsewhere, 'secret'), join(directory, 'file'))
    symlinkSync(elsewhere, join(directory, 'folder'))
    symlinkSync(join(elsewhere, 'new'), join(directory, 'nothing'))
    const workspace = new Workspace(directory)
    for (const path of ['file', 'folder', 'folder/secret', 'folder/new', 'nothing', 'nothing/below']) {
      await expect(workspace.resolve(path), path).rejects.toEqual(outside)
    }
    expect(await workspace.files('.', '**/*', signal)).toEqual([join(workspace.root, 'a.txt')])
    expect(await workspace.files('.', 'folder/*', signal)).toEqual([])
  })

  it('follows links that stay inside, and may lie behind one itself', async () => {
    const parent = directoryWith({ 'real/a/b.txt': 'x' })
    symlinkSync(join(parent, 'real'), join(parent, 'alias'))
    symlinkSync(join(parent, 'real', 'a'), join(parent, 'real', 'shortcut'))
    const workspace = new Workspace(join(parent, 'alias'))
    expect(workspace.name(await workspace.resolve('shortcut/b.txt'))).toBe('a/b.txt')
  })

  it('lists files by pattern, and leaves hidden and generated folders out', async () => {
    const directory = directoryWith({
      'b.ts': '',
      'src/a.ts': '',
      'src/a.md': '',
      '.git/config.ts': '',
      'node_modules/x/index.ts': '',
      'src/dist/out.ts': '',
      'src/.hidden.ts': '',
    })
    const workspace = new Workspace(directory)
    const names = async (folder: string, pattern: string) =>
      (await workspace.files(folder, pattern, signal)).map(file => workspace.name(file))
    expect(await names('.', '**/*.ts')).toEqual(['b.ts', 'src/a.ts'])
    expect(await names('src', '*')).toEqual(['src/a.md', 'src/a.ts'])
    await expect(names('.', '../**')).rejects.toEqual(outside)
    await expect(names('.', '/etc/*')).rejects.toEqual(outside)
    await expect(names('..', '*')).rejects.toEqual(outside)
  })

  it('stops listing when the signal aborts', async () => {
    const workspace = new Workspace(directoryWith({ a: '' }))
    await expect(workspace.files('.', '*', AbortSignal.abort('stop'))).rejects.toBe('stop')
  })

  it('needs a directory that exists', () => {
    expect(() => new Workspace(join(temporaryDirectory(), 'nope'))).toThrow('ENOENT')
  })

  it('names files with slashes, and the root with a dot', () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'a'))
    writeFileSync(join(directory, 'a', 'b'), '')
    const workspace = new Workspace(directory)
    expect(workspace.name(join(workspace.root, 'a', 'b'))).toBe('a/b')
    expect(workspace.name(workspace.root)).toBe('.')
  })
})
