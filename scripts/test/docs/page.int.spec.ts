import { expect, it } from 'vitest'
import { readPages } from '../../docs/page.ts'
import { scratch } from '../scratch.ts'

it('reads the pages of the root, docs, packages, examples and benchmarks, in the order of their paths', () => {
  const base = scratch({
    'README.md': '',
    'README.zh-CN.md': '',
    'CONTRIBUTING.md': '',
    'NOTES.md': '',
    'docs/deep/er.md': '',
    'docs/a.txt': '',
    'packages/b/README.md': '',
    'packages/b/CHANGELOG.md': '',
    'packages/b/test/README.md': '',
    'examples/c/README.md': '',
    'bench/README.md': '',
    'node_modules/d/README.md': '',
  })
  expect(readPages(base).map(({ file }) => file)).toEqual([
    'CONTRIBUTING.md',
    'README.md',
    'README.zh-CN.md',
    'bench/README.md',
    'docs/deep/er.md',
    'examples/c/README.md',
    'packages/b/README.md',
  ])
})

it('finds no pages in an empty folder', () => {
  expect(readPages(scratch({}))).toEqual([])
})
