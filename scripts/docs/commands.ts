import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, readPackages } from '../workspace.ts'
import type { Mark } from './markdown.ts'
import type { Page } from './page.ts'
import type { Problem } from './problem.ts'

const shells = new Set(['bash', 'sh', 'shell', 'console'])
const ownCommands = new Set([
  'add',
  'config',
  'create',
  'dlx',
  'exec',
  'install',
  'pack',
  'publish',
  'remove',
  'update',
])

/** Every `pnpm <script>` and `node <file>` in a shell block or in inline code exists. */
export function checkCommands(pages: readonly Page[], base: string): Problem[] {
  return pages.flatMap(page =>
    commandLines(page).flatMap(({ text, line }) =>
      text
        .replace(/(^|\s)#.*$/, '')
        .split(/&&|\|\||[;|]/)
        .flatMap(command => {
          const problem = checkCommand(command.trim().split(/\s+/), base)
          return problem === undefined ? [] : [{ file: page.file, line, ...problem }]
        }),
    ),
  )
}

function commandLines(page: Page): Mark[] {
  const blocks = page.blocks.filter(({ language }) => shells.has(language))
  const lines = blocks.flatMap(({ code, line }) =>
    code.split('\n').map((text, index) => ({ text: text.replace(/^\s*\$\s+/, ''), line: line + index })),
  )
  return [...lines, ...page.spans.filter(({ text }) => /^(npx .*)?pnpm/.test(text))]
}

function checkCommand(words: readonly string[], base: string): Pick<Problem, 'expected' | 'found'> | undefined {
  const rest = words.filter(word => !/^\w+=/.test(word))
  if (rest[0] === 'node') return checkNodeFile(rest.slice(1), base)
  const at = rest.findIndex(word => /^pnpm(@[\w.]+)?$/.test(word))
  if (at === -1 || !(at === 0 || rest[0] === 'npx')) return undefined
  return checkScript(rest.slice(at + 1), base)
}

function checkNodeFile(words: readonly string[], base: string) {
  const file = words.find(word => !word.startsWith('-'))
  if (file === undefined || !/^(scripts|bench|docs|examples|packages)\//.test(file)) return undefined
  return existsSync(join(base, file)) ? undefined : { expected: 'node to run a file that exists', found: file }
}

function checkScript(words: readonly string[], base: string) {
  let [folder, script]: [string, string | undefined] = [base, undefined]
  const queue = words.values()
  for (const word of queue) {
    if (word === '--filter' || word === '-F') {
      const name = queue.next().value
      const member = readPackages(base).find(({ manifest }) => manifest.name === name)
      if (member === undefined) return { expected: 'a package of the workspace after --filter', found: `${name}` }
      folder = member.folder
    } else if (word !== 'run' && !word.startsWith('-')) {
      script = word
      break
    }
  }
  if (script === undefined || ownCommands.has(script) || /^[<…]/.test(script)) return undefined
  if (readManifest(folder).scripts?.[script] !== undefined) return undefined
  if (existsSync(join(base, 'node_modules', '.bin', script))) return undefined
  return { expected: 'a script of package.json after pnpm', found: script }
}
