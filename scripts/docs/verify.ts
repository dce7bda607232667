import { compileSnippets, findSnippets } from './code.ts'
import { checkCommands } from './commands.ts'
import { checkLinks } from './links.ts'
import { readPages } from './page.ts'
import type { Problem } from './problem.ts'
import { runSnippets } from './runs.ts'
import { checkTypes } from './type-equiv.ts'
import { withWorkshop } from './workshop.ts'

/** What the gate found, in the order of files and lines, and how much there was to check. */
export interface Verdict {
  readonly problems: readonly Problem[]
  readonly pages: number
  readonly snippets: number
}

/** Checks every page of the repository at `base`: quoted types, code, output, links and commands. */
export async function verifyDocs(base: string): Promise<Verdict> {
  const pages = readPages(base)
  const { snippets, problems } = findSnippets(pages)
  const found = [...problems, ...checkTypes(pages, base), ...checkLinks(pages, base), ...checkCommands(pages, base)]
  if (snippets.length > 0) {
    await withWorkshop(base, async workshop => {
      found.push(...(await compileSnippets(snippets, base, workshop)))
      found.push(...(await runSnippets(snippets, workshop)))
    })
  }
  const sorted = found.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  return { problems: sorted, pages: pages.length, snippets: snippets.length }
}
