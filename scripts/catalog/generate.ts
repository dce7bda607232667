import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GeneratedPage } from './page.ts'
import { readWorkspace } from './workspace.ts'

/** The command that brings the pages up to date. */
export const command = 'npx -y pnpm@12 gen'

const notice = `<!-- Generated from the sources by \`${command}\`. -->`

/** A generated page beside what lies on the disk. */
export interface Generated {
  readonly path: string
  readonly text: string
  /** Missing where the page has not been written yet. */
  readonly current: string | undefined
}

export async function loadPages(): Promise<GeneratedPage[]> {
  const folder = join(import.meta.dirname, 'pages')
  const names = (await readdir(folder)).filter(name => name.endsWith('.ts')).sort()
  const modules = names.map(name => import(pathToFileURL(join(folder, name)).href) as Promise<{ page: GeneratedPage }>)
  return (await Promise.all(modules)).map(({ page }) => page)
}

/** Renders the pages from the sources at `base`; writes nothing. */
export function generate(base: string, pages: readonly GeneratedPage[]): Generated[] {
  const workspace = readWorkspace(base)
  return pages.flatMap(({ path, render }) => {
    const content = render(workspace)
    if (content === undefined) return []
    const file = join(base, path)
    const current = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    return [{ path, text: `${notice}\n\n${content.trimEnd()}\n`, current }]
  })
}

/** Where a page on the disk first differs from the sources; nothing where it is up to date. */
export function describeStaleness({ path, text, current }: Generated): string | undefined {
  if (text === current) return undefined
  if (current === undefined) return `${path}: expected a page generated from the sources, found none; run ${command}`
  const [expected, found] = [text.split('\n'), current.split('\n')]
  const index = expected.findIndex((line, position) => line !== found[position])
  const at = index === -1 ? expected.length : index
  const show = (line: string | undefined) => (line === undefined ? 'the end of the page' : `\`${line}\``)
  return `${path}:${at + 1}: expected ${show(expected[at])}, found ${show(found[at])}; run ${command}`
}
