import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outline } from '@dsh/session'
import { findViolations } from '@dsh/session-invariant'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import { mountBackend } from '../src/backends.ts'
import { run, source } from './support/run.ts'
import { pty, Terminal } from './support/terminal.ts'
import { type Variant, variants } from './support/variants.ts'
import { directoryWith } from './support/workspace.ts'

const isFull = process.env.DSH_FULL !== undefined
const main = source('demo/main.ts')
const files = {
  'README.md': '# Title\n',
  'src/a.ts': `${'// a\n'.repeat(30)}export class A {}\n`,
  'src/b.ts': 'export const b = 1\n',
  'src/c.ts': `import { b } from './b.ts'\nexport function c() {}\nexport default b\n`,
}

describe('the demo', () => {
  it.each(variants)('shows all that it promises ($backend, rules: $rules)', async ({ backend, rules }) => {
    const directory = directoryWith(files)
    const env = { DSH_DEMO_TOKEN_MS: '0', DSH_INVARIANTS: rules }
    const { code, output } = await run(main, { cwd: directory, env, args: ['--backend', backend] })
    expect(code, output).toBe(0)
    expect(output).not.toContain('\x1b')
    expect(output.match(/^\[\d\/6\] /gm)).toEqual([1, 2, 3, 4, 5, 6].map(number => `[${number}/6] `))
    for (const shown of [
      'The 3 longest source files:\n1. src/a.ts, 31 lines: exports class A',
      'the process ended with SIGKILL',
      /^All [\d,]+ acknowledged events are there, byte for byte\.$/m,
      /seq \d+ {2}tool\/result {2}TOOL_OUTCOME_UNKNOWN/,
      /seq \d+ {2}turn\/end {2}interrupted/,
      '↻ going on',
      /^Before, the model sees \d\d messages/m,
      'older history was summarised; the model sees 2 messages',
      'After, the model sees 3 messages',
      /-fork shares the first \d+ events of demo-/,
      'The original has 6 turns, the fork 3.',
    ]) {
      if (typeof shown === 'string') expect(output).toContain(shown)
      else expect(output).toMatch(shown)
    }
    expect(readFileSync(join(directory, '.dsh-demo', 'entries.txt'), 'utf8').trim()).toBe('2')
    await expectStored(directory, output, backend)
    expectCommands[backend](directory, output)
  })

  it.each([
    ['a backend that there is not', ['--backend', 'sqlit'], '✗ --backend: expected jsonl or sqlite, found "sqlit"\n'],
    ['an option that there is not', ['--nothing'], "✗ ERR_PARSE_ARGS_UNKNOWN_OPTION: Unknown option '--nothing'"],
  ])('refuses %s in one line', async (_, args, message) => {
    const { code, output } = await run(main, { cwd: directoryWith({}), args })
    expect([code, output]).toEqual([1, expect.stringContaining(message)])
    expect(output.trimEnd().split('\n')).toHaveLength(1)
  })

  it('says how it is used', async () => {
    const { code, output } = await run(main, { cwd: directoryWith({}), args: ['--help'] })
    expect([code, output]).toEqual([0, expect.stringMatching(/^Usage: demo /)])
  })

  it('says in one line what went wrong, and fails', async () => {
    const directory = directoryWith({ '.dsh-sessions': 'a file' })
    const { code, output } = await run(main, { cwd: directory, env: { DSH_DEMO_TOKEN_MS: '0' } })
    expect(code).toBe(1)
    expect(output).toContain('✗ The first process ended before it could be killed.')
  })

  it.skipIf(pty === undefined || !isFull)('is alive on a terminal', async () => {
    const demo = new Terminal(main, [], directoryWith(files))
    await demo.shows('[6/6] Look at it yourself')
    expect(await demo.exit).toBe(0)
    expect(demo.raw).toContain('\x1b[')
  })
})

async function expectStored(directory: string, output: string, backend: Variant['backend']): Promise<void> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  await mountBackend(ctx, backend, join(directory, '.dsh-sessions'))
  const { entries } = await ctx.sessionPersistence.list()
  const [, args, id] = / chat (.*--resume (demo-\S+))/.exec(output)!
  const { output: resumed } = await run(source('chat/main.ts'), { cwd: directory, args: args!.split(' ') })
  expect(resumed).toContain(`session ${id}, `)
  expect(entries.map(entry => [entry.id, entry.state]).sort()).toEqual([
    [id, 'ok'],
    [`${id}-fork`, 'ok'],
  ])
  for (const { id } of entries) {
    const { view } = await ctx.sessionPersistence.load(id)
    expect([...findViolations(view)]).toEqual([])
    const reasons = view.fold(outline).turns.map(({ reason }) => reason!.kind)
    expect(reasons).toEqual(
      id.endsWith('-fork')
        ? Array(3).fill('completed')
        : ['completed', 'completed', 'interrupted', ...Array(3).fill('completed')],
    )
  }
  await ctx.fiber.dispose()
}

/** The commands that it tells to type do what it says. */
const expectCommands = {
  jsonl(directory: string, output: string): void {
    const [cut, calls, ends, ...common] = commandsOf(directory, output)
    expect(cut!()).toMatch(/^\{"type":"session","version":1,/)
    expect(Number(calls!())).toBeGreaterThan(5)
    expect(ends!().trim().split('\n')).toHaveLength(6)
    expectCommonCommands(common)
    const log = /^ {2}(\S+\.jsonl)$/m.exec(output)![1]!
    expect(existsSync(join(directory, log))).toBe(true)
  },

  sqlite(directory: string, output: string): void {
    const [search, ...common] = commandsOf(directory, output)
    expect(search!()).toMatch(/demo-.*\n?.*export class/)
    expectCommonCommands(common)
    const database = /^ {2}(\S+\.sqlite)$/m.exec(output)![1]!
    expect(existsSync(join(directory, database))).toBe(true)
  },
}

function expectCommonCommands([show, messages]: readonly (() => string)[]): void {
  expect(show!()).toMatch(/turn 3 +interrupted/)
  expect(messages!()).toContain('What have we done so far?')
}

function commandsOf(directory: string, output: string): (() => string)[] {
  return Array.from(output.matchAll(/^ {2}\$ (.*)$/gm), ([, line]) => () => {
    const command = line!.replace(/^npx -y pnpm@12 exec node/, process.execPath)
    return execFileSync('sh', ['-c', command], { cwd: directory, encoding: 'utf8' })
  })
}
