import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { listFiles } from '../workspace.ts'
import { type Markdown, parseMarkdown } from './markdown.ts'

/** A Markdown file that the gates check. */
export interface Page extends Markdown {
  /** Path from the root of the repository, with forward slashes. */
  readonly file: string
}

/** The path of `file` from `base`, with forward slashes. */
export function pathFrom(base: string, file: string): string {
  return relative(base, file).split(sep).join('/')
}

/** The pages at the top, in `docs`, and the README of each package, each example and the benchmarks. */
export function readPages(base: string): Page[] {
  const members = ['packages', 'examples']
    .map(name => join(base, name))
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
  const files = [base, join(base, 'bench'), ...members]
    .flatMap(folder => (existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []))
    .filter(file => /(^|[\\/])(README|CONTRIBUTING)(\.[\w-]+)?\.md$/.test(file))
  return [...files, ...listFiles(join(base, 'docs'), '.md')]
    .map(file => ({ file: pathFrom(base, file), ...parseMarkdown(readFileSync(file, 'utf8')) }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}
