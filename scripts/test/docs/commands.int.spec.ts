import { describe, expect, it } from 'vitest'
import { checkCommands } from '../../docs/commands.ts'
import { readPages } from '../../docs/page.ts'
import { scratch } from '../scratch.ts'

function check(readme: string): string[] {
  const base = scratch({
    'README.md': readme,
    'package.json': '{ "name": "root", "scripts": { "test": "", "demo": "" } }',
    'packages/llm/package.json': '{ "name": "@dsh/llm", "scripts": { "bench": "" } }',
    'node_modules/.bin/vitest': '',
    'scripts/tool.ts': '',
  })
  return checkCommands(readPages(base), base).map(({ line, expected, found }) => `${line}: ${expected}; ${found}`)
}

const bash = (...lines: string[]) => ['```bash', ...lines, '```'].join('\n')

describe('checkCommands', () => {
  it('accepts scripts, own commands of pnpm, commands of dependencies and files', () => {
    const lines = [
      'npx -y pnpm@12 test',
      '$ pnpm run demo && pnpm test -- --watch # then pnpm nothing',
      'A=1 pnpm --silent demo | cat',
      'pnpm --filter @dsh/llm bench',
      'pnpm install; pnpm exec tsc',
      'pnpm vitest run',
      'node --watch scripts/tool.ts',
      'node mine.ts',
      'echo pnpm nothing',
    ]
    expect(check(bash(...lines))).toEqual([])
  })

  it.each([
    ['pnpm nothing', 'a script of package.json after pnpm; nothing'],
    ['npx -y pnpm@12 run nothing', 'a script of package.json after pnpm; nothing'],
    ['ls && pnpm nothing', 'a script of package.json after pnpm; nothing'],
    ['pnpm --filter @dsh/llm demo', 'a script of package.json after pnpm; demo'],
    ['pnpm --filter @dsh/none bench', 'a package of the workspace after --filter; @dsh/none'],
    ['node scripts/none.ts', 'node to run a file that exists; scripts/none.ts'],
  ])('refuses %s', (command, message) => {
    expect(check(bash('ls', command))).toEqual([`3: ${message}`])
    if (!command.startsWith('ls') && !command.startsWith('node')) {
      expect(check(`Run \`${command}\`.`)).toEqual([`1: ${message}`])
    }
  })

  it('looks at shell blocks only', () => {
    expect(check('```text\npnpm nothing\n```')).toEqual([])
  })
})
