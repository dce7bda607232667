import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { parseMarkdown } from './markdown.ts'
import type { Page } from './page.ts'
import type { Problem } from './problem.ts'

const external = /^[a-z][a-z0-9+.-]*:|^\/\//i

/** Every relative link names a file or folder of the repository, and a heading of it where it has a fragment. */
export function checkLinks(pages: readonly Page[], base: string): Problem[] {
  return pages.flatMap(page =>
    page.links
      .filter(({ text }) => !external.test(text))
      .flatMap(({ text, line }) => {
        const problem = checkLink(page, text, base)
        return problem === undefined ? [] : [{ file: page.file, line, ...problem }]
      }),
  )
}

function checkLink(page: Page, target: string, base: string): Pick<Problem, 'expected' | 'found'> | undefined {
  const [path = '', fragment] = decodeURI(target).split('#', 2)
  if (path.startsWith('/')) return { expected: 'a relative link', found: target }
  const file = path === '' ? join(base, page.file) : resolve(base, page.file, '..', path)
  if (file !== base && !file.startsWith(base + sep)) {
    return { expected: 'a link inside the repository', found: target }
  }
  if (!existsSync(file)) return { expected: 'a link to a file that exists', found: target }
  if (fragment === undefined) return undefined
  return hasFragment(file, fragment) ? undefined : { expected: 'a link to a heading that exists', found: target }
}

function hasFragment(file: string, fragment: string): boolean {
  if (statSync(file).isDirectory()) return false
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.md')) return parseMarkdown(text).anchors.has(fragment)
  const [, first, last = first] = /^L(\d+)(?:-L(\d+))?$/.exec(fragment) ?? []
  return last !== undefined && Number(last) <= text.split('\n').length
}
