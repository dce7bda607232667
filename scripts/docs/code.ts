import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inParallel, run, tool } from '../process.ts'
import type { Block } from './markdown.ts'
import type { Page } from './page.ts'
import type { Problem } from './problem.ts'
import { isTypeBlock } from './type-equiv.ts'

/** A block of TypeScript in the workshop. */
export interface Snippet {
  readonly page: string
  readonly block: Block
  /** File name inside the workshop. */
  readonly name: string
}

const synonyms = new Set(['typescript', 'mts', 'cts'])

/** The blocks that must compile, and those whose mark no gate knows. */
export function findSnippets(pages: readonly Page[]): { snippets: Snippet[]; problems: Problem[] } {
  const snippets: Snippet[] = []
  const problems: Problem[] = []
  for (const { file, blocks } of pages) {
    for (const block of blocks) {
      const [flag, ...more] = block.flags
      const isKnown = more.length === 0 && (flag === undefined || flag === 'run' || flag === 'type-equiv')
      if (synonyms.has(block.language) || (block.language === 'ts' && !isKnown)) {
        const found = [block.language, ...block.flags].join(' ')
        problems.push({
          file,
          line: block.line - 1,
          expected: '`ts`, `ts run` or `ts type-equiv`',
          found: `\`${found}\``,
        })
      } else if (block.language === 'ts' && !isTypeBlock(block)) {
        snippets.push({ page: file, block, name: `${file.replace(/[^\w.-]/g, '_')}.${block.line}.ts` })
      }
    }
  }
  return { snippets, problems }
}

/** Compiles the snippets, strictly and against the sources; each is a module of its own. */
export async function compileSnippets(
  snippets: readonly Snippet[],
  base: string,
  workshop: string,
): Promise<Problem[]> {
  mkdirSync(join(workshop, 'blocks'))
  for (const { name, block } of snippets) writeFileSync(join(workshop, 'blocks', name), asModule(block.code))
  const programs = splitPrograms(snippets).map((members, index) => {
    const config = join(workshop, `tsconfig.${index}.json`)
    writeFileSync(config, JSON.stringify(configFor(members, base)))
    return { config, members }
  })
  const results = await inParallel(programs, async ({ config, members }) => {
    const { code, output } = await run(
      process.execPath,
      [tool('typescript', 'tsc'), '--pretty', 'false', '-p', config],
      {
        cwd: workshop,
      },
    )
    return code === 0 ? [] : readDiagnostics(output, members)
  })
  return results.flat()
}

/** Extending a module does not load it; in a reader's project some other file has. */
function asModule(code: string): string {
  const extended = Array.from(
    code.matchAll(/^\s*declare\s+module\s+'([^']+)'/gm),
    ([, name]) => `import type {} from '${name}'\n`,
  )
  return `${code}\nexport {}\n${extended.join('')}`
}

/** One program for all, except that a snippet which extends a module or a global must not be seen by the others. */
function splitPrograms(snippets: readonly Snippet[]): Snippet[][] {
  const isLoud = ({ block }: Snippet) => /^\s*declare\s+(module|global)\b/m.test(block.code)
  const quiet = snippets.filter(snippet => !isLoud(snippet))
  return [...(quiet.length === 0 ? [] : [quiet]), ...snippets.filter(isLoud).map(snippet => [snippet])]
}

function configFor(members: readonly Snippet[], base: string) {
  return {
    extends: join(base, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: [],
    files: members.map(({ name }) => `blocks/${name}`),
  }
}

function readDiagnostics(output: string, members: readonly Snippet[]): Problem[] {
  const problems: Problem[] = []
  for (const text of output.split('\n')) {
    const [, file, line, message] = /^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/.exec(text) ?? []
    const last = problems.at(-1)
    if (file !== undefined) {
      const snippet = members.find(({ name }) => file.endsWith(name))
      const place =
        snippet === undefined
          ? { file, line: Number(line) }
          : { file: snippet.page, line: snippet.block.line + Number(line) - 1 }
      problems.push({ ...place, expected: 'code that compiles', found: message! })
    } else if (last !== undefined && /^\s+\S/.test(text)) {
      problems[problems.length - 1] = { ...last, found: `${last.found}\n${text}` }
    }
  }
  if (problems.length > 0) return problems
  return [{ file: members[0]!.page, line: 1, expected: 'the compiler to run', found: output.trim() }]
}
