import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace.ts'
import { pnpm, type Tarball } from './pack.ts'

/** Makes an empty project in `folder` and installs the tarballs and their peers into it. */
export async function installConsumer(folder: string, tarballs: readonly Tarball[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'scripts', 'fixtures', 'consumer'), folder, { recursive: true })
  const own = Object.fromEntries(tarballs.map(({ manifest, file }) => [manifest.name, `file:${file}`]))
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies: { ...peersOf(tarballs), ...own } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  // JSON is YAML. Of the packages, only the tarballs exist.
  writeFileSync(
    join(folder, 'pnpm-workspace.yaml'),
    JSON.stringify({ overrides: own, nodeVersion: process.versions.node }),
  )
  const { code, output } = await pnpm(
    ['install', '--prefer-offline', '--ignore-scripts', '--no-frozen-lockfile'],
    folder,
  )
  if (code !== 0) throw new Error(`the tarballs do not install into an empty project:\n${output}`)
}

/** The peers that the packages cannot do without. */
function peersOf(tarballs: readonly Tarball[]): Record<string, string> {
  const peers = tarballs.flatMap(({ manifest }) =>
    Object.entries(manifest.peerDependencies ?? {}).filter(
      ([name]) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
    ),
  )
  return Object.fromEntries(peers)
}
