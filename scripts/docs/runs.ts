import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inParallel, run } from '../process.ts'
import type { Snippet } from './code.ts'
import type { Problem } from './problem.ts'

const limit = 20_000

/**
 * Runs the blocks marked `ts run` against the built packages, each in a process and an empty working directory of its
 * own. A block must end with exit code 0 within 20 seconds and print just the lines that its `// prints: …` comments
 * announce, if it has any; `…` in such a line stands for any text.
 */
export async function runSnippets(snippets: readonly Snippet[], workshop: string): Promise<Problem[]> {
  const marked = snippets.filter(({ block }) => block.flags[0] === 'run')
  const results = await inParallel(marked, async ({ page, block, name }) => {
    const problem = (line: number, expected: string, found: string) => [{ file: page, line, expected, found }]
    const cwd = mkdtempSync(join(workshop, 'cwd-'))
    const { code, stdout, output, timedOut } = await run(process.execPath, [join(workshop, 'blocks', name)], {
      cwd,
      timeout: limit,
    })
    if (timedOut) return problem(block.line, `the block to end within ${limit / 1000} s`, 'that it still ran')
    if (code !== 0) return problem(block.line, 'exit code 0', `exit code ${code}:\n${output.trimEnd()}`)
    const difference = comparePrints(block.code, stdout)
    if (difference === undefined) return []
    return problem(block.line + difference.index, difference.expected, difference.found)
  })
  return results.flat()
}

function comparePrints(code: string, stdout: string) {
  const announced = code.split('\n').flatMap((line, index) => {
    const [, text] = /\/\/ prints: ?(.*)$/.exec(line) ?? []
    return text === undefined ? [] : [{ index, text: text.trimEnd() }]
  })
  if (announced.length === 0) return undefined
  const printed = stdout.split('\n').map(line => line.trimEnd())
  if (printed.at(-1) === '') printed.pop()
  for (const [position, { index, text }] of announced.entries()) {
    const line = printed[position]
    if (line === undefined) return { index, expected: `the output \`${text}\``, found: 'the end of the output' }
    if (!matches(text, line)) return { index, expected: `the output \`${text}\``, found: `\`${line}\`` }
  }
  const extra = printed[announced.length]
  if (extra === undefined) return undefined
  return { index: announced.at(-1)!.index, expected: 'the end of the output', found: `\`${extra}\`` }
}

function matches(pattern: string, line: string): boolean {
  const parts = pattern.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(line)
}
