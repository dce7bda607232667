import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles, readPackages } from '../workspace.ts'
import { scratch } from './scratch.ts'

describe('readPackages', () => {
  it('reads every folder with a manifest, by name', () => {
    const base = scratch({
      'packages/b/package.json': '{ "name": "b" }',
      'packages/a/package.json': '{ "name": "a", "private": true }',
      'packages/none/README.md': '',
    })
    expect(readPackages(base).map(({ manifest }) => manifest.name)).toEqual(['a', 'b'])
  })

  it('finds none where there is no such folder', () => {
    expect(readPackages(scratch({}))).toEqual([])
  })
})

describe('listFiles', () => {
  it('walks folders, but not into installed packages', () => {
    const base = scratch({ 'b.ts': '', 'a/c.ts': '', 'a/d.js': '', 'node_modules/x/e.ts': '' })
    expect(listFiles(base, '.ts')).toEqual([join(base, 'a/c.ts'), join(base, 'b.ts')])
  })

  it('finds none in a folder that is missing', () => {
    expect(listFiles(join(scratch({}), 'none'), '.ts')).toEqual([])
  })
})
