import { describe, expect, it } from 'vitest'
import { entriesOf, importEntries } from '../../packages/entries.ts'
import type { Manifest } from '../../workspace.ts'
import { scratch } from '../scratch.ts'

const manifest: Manifest = {
  name: '@dsh/core',
  version: '0.0.0',
  exports: { '.': './index.js', './loud': './loud.js', './suite': './suite.js', './package.json': './package.json' },
  peerDependenciesMeta: { tester: { optional: true } },
}

const files = {
  'node_modules/@dsh/core/package.json': JSON.stringify({ ...manifest, type: 'module' }),
  'node_modules/@dsh/core/index.js': 'export const a = 1',
  'node_modules/@dsh/core/loud.js': "console.warn('deprecated')",
  'node_modules/@dsh/core/suite.js': "import 'tester'",
}

describe('entriesOf', () => {
  it('names every module that the manifest exports', () => {
    expect(entriesOf(manifest).map(({ specifier }) => specifier)).toEqual([
      '@dsh/core',
      '@dsh/core/loud',
      '@dsh/core/suite',
    ])
  })

  it('finds none without exports', () => {
    expect(entriesOf({ name: 'x', version: '0.0.0' })).toEqual([])
  })
})

describe('importEntries', () => {
  it('reports under each Node what fails or prints, and skips what lacks an optional peer', async () => {
    const report = await importEntries(scratch(files), entriesOf(manifest))
    expect(report).toEqual({
      problems: [
        'import of @dsh/core/loud under Node 22: deprecated',
        'import of @dsh/core/loud under Node 24: deprecated',
      ],
      skipped: ['@dsh/core/suite needs the optional peer tester'],
    })
  })

  it('does not skip what lacks a package that nobody declared', async () => {
    const { peerDependenciesMeta, ...strict } = manifest
    const entries = entriesOf({ ...strict, exports: { './suite': './suite.js' } })
    const { problems, skipped } = await importEntries(scratch(files), entries)
    expect(problems).toEqual([
      expect.stringContaining("Cannot find package 'tester'"),
      expect.stringContaining("Cannot find package 'tester'"),
    ])
    expect({ skipped, peerDependenciesMeta }).toEqual({
      skipped: [],
      peerDependenciesMeta: manifest.peerDependenciesMeta,
    })
  })
})
