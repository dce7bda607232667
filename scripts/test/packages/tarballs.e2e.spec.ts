import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installConsumer } from '../../packages/consumer.ts'
import { entriesOf, importEntries } from '../../packages/entries.ts'
import { lintTarball } from '../../packages/lint.ts'
import { packAll } from '../../packages/pack.ts'
import { checkConsumerTypes } from '../../packages/typings.ts'
import { scratch } from '../scratch.ts'

const common = { version: '0.1.0', license: 'MIT', type: 'module', files: ['dist'] }
const good = {
  ...common,
  name: '@dsh/good',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
const bad = {
  ...common,
  name: '@dsh/bad',
  exports: { '.': { default: './dist/index.js', types: './dist/index.d.ts' }, './gone': './dist/gone.js' },
  dependencies: { '@dsh/good': 'workspace:^' },
}

const workspace = {
  'package.json': '{ "name": "root", "private": true }',
  'pnpm-workspace.yaml': 'packages: [packages/*]\nverifyDepsBeforeRun: false\n',
  'packages/good/package.json': JSON.stringify(good),
  'packages/good/README.md': '# Good\n',
  'packages/good/LICENSE': 'MIT\n',
  'packages/good/dist/index.js': 'export const good = 1\n',
  'packages/good/dist/index.d.ts': 'export declare const good = 1\n',
  'packages/bad/package.json': JSON.stringify(bad),
  'packages/bad/dist/index.js': "export * from '@dsh/good'\n",
  'packages/bad/dist/index.d.ts': "export * from '@dsh/good'\n",
  'packages/bad/dist/left.tsbuildinfo': '{}\n',
  'packages/secret/package.json': '{ "name": "secret", "private": true }',
}

it('packs what is published, finds what is wrong with it and uses the rest from an empty project', async () => {
  const base = scratch(workspace)
  const tarballs = await packAll(base, join(base, 'packed'))
  expect(tarballs.map(({ manifest }) => manifest.name)).toEqual(['@dsh/bad', '@dsh/good'])

  const [wrong, right] = tarballs
  expect(await lintTarball(right!)).toEqual([])
  expect(await lintTarball(wrong!)).toEqual([
    'expected compiled sources, found dist/left.tsbuildinfo',
    'expected a LICENSE, found none',
    'expected a README.md, found none',
    expect.stringMatching(/^publint: .*\.types should be the first/),
    expect.stringMatching(/^publint: .*\.default should be the last/),
    expect.stringMatching(/^publint: .*gone\.js/),
    expect.stringMatching(/^attw:\n(.*\n)*Import failed to resolve/),
  ])

  const consumer = join(base, 'consumer')
  await installConsumer(consumer, tarballs)
  const entries = tarballs.flatMap(({ manifest }) => entriesOf(manifest))
  const { problems } = await importEntries(consumer, entries)
  expect(problems).toEqual([
    expect.stringMatching(/^import of @dsh\/bad\/gone under Node 22: /),
    expect.stringMatching(/^import of @dsh\/bad\/gone under Node 24: /),
  ])
  expect(readFileSync(join(consumer, 'node_modules/@dsh/bad/package.json'), 'utf8')).toContain('"^0.1.0"')

  // These packages declare none of the maps that the project extends.
  const typings = await checkConsumerTypes(consumer, entries)
  expect(typings).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^typings in a project with \{(.*\n)*.*TS2307/)),
  )
})
