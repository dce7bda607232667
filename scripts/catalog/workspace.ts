import { join, relative, sep } from 'node:path'
import { type Declaration, declarationsOf, parseSource, type Source } from '../source.ts'
import { listFiles, readPackages } from '../workspace.ts'

/** A source file of a package. */
export interface SourceFile extends Source {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly owner: string
}

/** A declaration and the file that it stands in. */
export interface Found {
  readonly file: SourceFile
  readonly declaration: Declaration
}

/** The parsed sources of every package. */
export interface Workspace {
  readonly files: readonly SourceFile[]
}

export function readWorkspace(base: string): Workspace {
  const files = readPackages(base).flatMap(({ folder, manifest }) =>
    listFiles(join(folder, 'src'), '.ts').map(file => ({
      ...parseSource(file),
      path: relative(base, file).split(sep).join('/'),
      owner: manifest.name,
    })),
  )
  return { files }
}

/** The declaration `name` of the package `owner`, and every extension of it by `declare module`. */
export function findWithExtensions(workspace: Workspace, owner: string, name: string): Found[] {
  const found = workspace.files.flatMap(file =>
    declarationsOf(file)
      .filter(declaration => declaration.name === name)
      .filter(({ augments }) => (augments === undefined ? file.owner === owner : reaches(augments, owner, file)))
      .map(declaration => ({ file, declaration })),
  )
  const isExtension = ({ declaration }: Found) => Number(declaration.augments !== undefined)
  return found.sort((a, b) => isExtension(a) - isExtension(b))
}

/** A package extends its own map through a relative path. */
function reaches(module: string, owner: string, file: SourceFile): boolean {
  return module === owner || (module.startsWith('.') && file.owner === owner)
}

/** The one declaration `name` of the package `owner`. */
export function findDeclaration(workspace: Workspace, owner: string, name: string): Found {
  const [found] = findWithExtensions(workspace, owner, name)
  if (found === undefined || found.declaration.augments !== undefined) {
    throw new Error(`expected ${owner} to declare ${name}, found no such declaration`)
  }
  return found
}
