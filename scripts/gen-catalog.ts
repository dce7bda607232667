/** Writes the generated pages. With `--check` writes nothing, and fails where a page is not what the sources say. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeStaleness, generate, loadPages } from './catalog/generate.ts'
import { root } from './workspace.ts'

const pages = generate(root, await loadPages())
if (process.argv.includes('--check')) {
  const stale = pages.map(describeStaleness).filter(message => message !== undefined)
  for (const message of stale) console.error(message)
  if (stale.length === 0) console.log(`generated pages: ${pages.length} are up to date`)
  else process.exitCode = 1
} else {
  for (const { path, text } of pages) {
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
}
