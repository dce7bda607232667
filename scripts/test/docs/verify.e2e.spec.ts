import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../docs/problem.ts'
import { verifyDocs } from '../../docs/verify.ts'
import { scratch } from '../scratch.ts'

const workspace = {
  'package.json': '{ "name": "root" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2024',
      module: 'esnext',
      moduleResolution: 'bundler',
      moduleDetection: 'force',
      lib: ['es2024', 'dom'],
      noUnusedLocals: true,
      paths: { '@dsh/*': ['./packages/*/src/index.ts'] },
    },
  }),
  'packages/core/package.json': JSON.stringify({ name: '@dsh/core', type: 'module', exports: './dist/index.js' }),
  'packages/core/src/index.ts': 'export interface Names {}\nexport const answer: number = 42\n',
  'packages/core/dist/index.js': 'export const answer = 42\n',
}

async function verify(...lines: string[]): Promise<string[]> {
  const { problems } = await verifyDocs(scratch({ ...workspace, 'docs/page.md': lines.join('\n') }))
  return problems.map(formatProblem)
}

describe('verifyDocs', () => {
  it('accepts code that compiles, runs and prints what it announces', async () => {
    expect(
      await verify(
        '```ts run',
        "import { answer } from '@dsh/core'",
        'const unused = 1',
        'console.log(answer) // prints: 42',
        "console.log('id', Math.random(), 'end') // prints: id … end",
        '```',
        '```ts',
        "declare module '@dsh/core' { interface Names { a: string } }",
        '```',
        '```ts',
        "declare module '@dsh/core' { interface Names { a: number } }",
        '```',
      ),
    ).toEqual([])
  })

  it('maps an error of the compiler to the line of the page', async () => {
    expect(
      await verify('# A', '```ts', "import { answer } from '@dsh/core'", 'const text: string = answer', '```'),
    ).toEqual([
      "docs/page.md:4: expected code that compiles, found TS2322: Type 'number' is not assignable to type 'string'.",
    ])
  })

  it('compiles a block that extends a module without showing the extension to other blocks', async () => {
    const found = await verify(
      '```ts',
      "declare module '@dsh/core' { interface Names { a: string } }",
      '```',
      '```ts',
      "import type { Names } from '@dsh/core'",
      "export type A = Names['a']",
      '```',
    )
    expect(found).toEqual([expect.stringMatching(/^docs\/page\.md:6: expected code that compiles, found TS2339/)])
  })

  it('refuses a block that fails or prints something else than it announces', async () => {
    const blocks = [
      "throw new Error('broken')",
      'console.log(1) // prints: 2',
      '// prints: 1',
      'console.log(1) // prints: 1\nconsole.log(2)',
      "console.log('a.c') // prints: a.c…d",
    ]
    const found = await verify(...blocks.flatMap(code => ['```ts run', code, '```']))
    expect(found).toEqual([
      expect.stringMatching(/^docs\/page\.md:2: expected exit code 0, found exit code 1:\n(.*\n)*Error: broken/),
      'docs/page.md:5: expected the output `2`, found `1`',
      'docs/page.md:8: expected the output `1`, found the end of the output',
      'docs/page.md:11: expected the end of the output, found `2`',
      'docs/page.md:15: expected the output `a.c…d`, found `a.c`',
    ])
  })

  it('refuses marks that it does not know: nothing escapes the compiler', async () => {
    expect(await verify('```ts no-check', 'let a: string = 1', '```', '```typescript', '```')).toEqual([
      'docs/page.md:1: expected `ts`, `ts run` or `ts type-equiv`, found `ts no-check`',
      'docs/page.md:4: expected `ts`, `ts run` or `ts type-equiv`, found `typescript`',
    ])
  })

  it('reports every kind of problem in the order of files and lines', async () => {
    const base = scratch({
      ...workspace,
      'README.md': '[x](none.md)',
      'docs/page.md': '```bash\npnpm nothing\n```\n```ts\nnone()\n```\n```ts type-equiv\nexport type None = 1\n```\n',
    })
    const { problems, pages, snippets } = await verifyDocs(base)
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'README.md:1',
      'docs/page.md:2',
      'docs/page.md:5',
      'docs/page.md:8',
    ])
    expect({ pages, snippets }).toEqual({ pages: 2, snippets: 1 })
  })
})
