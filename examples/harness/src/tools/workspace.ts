import { realpathSync } from 'node:fs'
import { glob, lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ToolError } from './tool.ts'

/** Folders that hold nothing a person wrote. */
const skipped = new Set(['node_modules', 'dist', 'coverage'])

/** The directory that tools work on. No path leads out of it, through a link or otherwise. */
export class Workspace {
  /** Absolute, without links. */
  readonly root: string

  /** @throws when the directory does not exist */
  constructor(directory: string) {
    this.root = realpathSync(directory)
  }

  /**
   * The absolute path of a file in the workspace, which need not exist.
   * @throws ToolError OUTSIDE_WORKSPACE
   */
  async resolve(path: string): Promise<string> {
    const target = resolve(this.root, path)
    const real = await realTarget(target)
    if (this.#contains(real)) return real
    throw new ToolError('OUTSIDE_WORKSPACE', `"${path}" lies outside the working directory.`)
  }

  /** How the model names a file: relative to the root, with slashes. */
  name(path: string): string {
    return relative(this.root, path).split(sep).join('/') || '.'
  }

  /**
   * The files below `folder` whose path matches `pattern`, sorted. Hidden and generated folders are left out.
   * @throws ToolError OUTSIDE_WORKSPACE
   */
  async files(folder: string, pattern: string, signal: AbortSignal): Promise<string[]> {
    const cwd = await this.resolve(folder)
    if (isAbsolute(pattern) || pattern.split(/[\\/]/).includes('..')) {
      throw new ToolError('OUTSIDE_WORKSPACE', `"${pattern}" leads out of the folder.`)
    }
    const exclude = ({ name }: { readonly name: string }) => skipped.has(name) || name.startsWith('.')
    const found: string[] = []
    const inside = new Map<string, boolean>()
    for await (const entry of glob(pattern, { cwd, exclude, withFileTypes: true })) {
      signal.throwIfAborted()
      if (!entry.isFile() || exclude(entry)) continue
      const folder = entry.parentPath
      if (!inside.has(folder)) inside.set(folder, this.#contains(await realpath(folder)))
      if (inside.get(folder)) found.push(join(folder, entry.name))
    }
    return found.sort()
  }

  #contains(path: string): boolean {
    return path === this.root || path.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep)
  }
}

/** The path with the links in its existing part resolved; a link to nothing counts as leading out. */
async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = resolve(path, '..')
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    )
    if (isLink) throw new ToolError('OUTSIDE_WORKSPACE', `"${path}" is a link to nothing.`)
    return join(await realTarget(parent), relative(parent, path))
  }
}
