import { basename } from 'node:path'
import type { KnipConfig } from 'knip'
import { type Manifest, readPackages, root } from './scripts/workspace.ts'

/** The sources of what a package exports or installs as a command. */
function entriesOf({ exports = {}, bin = {} }: Manifest): string[] {
  const targets = [
    ...Object.values(exports).map(target => (target as { default?: string }).default),
    ...Object.values(bin),
  ]
  const built = targets.filter(target => target?.endsWith('.js'))
  return built.map(target => target!.replace(/^(\.\/)?dist\//, 'src/').replace(/\.js$/, '.ts'))
}

const packages = readPackages(root).map(({ folder, manifest }) => [
  `packages/${basename(folder)}`,
  { entry: [...entriesOf(manifest), 'test/**/*.spec.ts'], project: ['src/**/*.ts', 'test/**/*.ts'] },
])

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: ['scripts/*.ts', 'scripts/catalog/pages/*.ts', 'scripts/test/**/*.spec.ts'],
      project: ['scripts/**/*.ts'],
      ignore: ['scripts/fixtures/**'],
      // Run by path, see `tool` in scripts/process.ts.
      ignoreDependencies: ['@arethetypeswrong/cli', 'turbo', 'node22'],
    },
    'examples/*': { entry: ['src/main.ts', 'test/**/*.spec.ts'], project: ['src/**/*.ts', 'test/**/*.ts'] },
    ...Object.fromEntries(packages),
  },
  // Of the system.
  ignoreBinaries: ['mkfifo'],
  // What an exported signature mentions is exported with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
}

export default config
