import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPackages } from '../workspace.ts'

/**
 * Makes a temporary folder outside the repository in which the packages, and what they and the examples depend on, can
 * be imported by name; hands it to `use` and removes it afterwards.
 */
export async function withWorkshop<T>(base: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'docs-')))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
    const modules = join(folder, 'node_modules')
    const packages = readPackages(base)
    for (const { folder: target, manifest } of packages) link(modules, manifest.name, target)
    const members = [...packages, ...readPackages(base, 'examples')].map(({ folder: member }) => member)
    for (const from of [...members, base]) {
      for (const name of installed(join(from, 'node_modules'))) link(modules, name, join(from, 'node_modules', name))
    }
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function installed(modules: string): string[] {
  if (!existsSync(modules)) return []
  return readdirSync(modules)
    .filter(name => !name.startsWith('.'))
    .flatMap(name =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map(scoped => `${name}/${scoped}`) : [name],
    )
}

function link(modules: string, name: string, target: string): void {
  const path = join(modules, name)
  if (existsSync(path)) return
  mkdirSync(join(path, '..'), { recursive: true })
  symlinkSync(target, path, 'junction')
}
