import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The root of the repository. */
export const root = join(import.meta.dirname, '..')

/** The fields of a package's manifest that the gates read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** A package of the workspace. */
export interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The packages under `packages/`, or another folder, of the repository at `base`, by folder name. */
export function readPackages(base: string, folder = 'packages'): Package[] {
  const parent = join(base, folder)
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .sort()
    .map(name => join(parent, name))
    .filter(folder => existsSync(join(folder, 'package.json')))
    .map(folder => ({ folder, manifest: readManifest(folder) }))
}

/** Every file under `folder` whose name ends in `extension`, as absolute paths; none where the folder is missing. */
export function listFiles(folder: string, extension: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(extension))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !file.includes(`${sep}node_modules${sep}`))
    .sort()
}
