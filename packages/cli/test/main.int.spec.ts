import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { commands } from '../src/commands/index.js'
import { main } from '../src/main.js'
import type { Io } from '../src/terminal/io.js'
import { sharedRoot } from './support/root.js'
import { createIo, run } from './support/run.js'

const shared = sharedRoot()

describe('the command line', () => {
  it('prints its version and its help on standard output', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
    expect(await run('-V')).toMatchObject({ code: 0 })
    const help = await run('--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const { name, summary } of commands) {
      expect(help.stdout).toContain(name)
      expect(help.stdout).toContain(summary.slice(0, 20))
    }
    expect(await run('help')).toEqual(help)
    expect(await run('help help')).toMatchObject({ code: 0, stderr: '' })
  })

  it('prints its help on standard error, and fails, when nothing is asked for', async () => {
    const { code, stdout, stderr } = await run('')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Usage: dsh-session')
  })

  it.each(commands.map(({ name }) => name))('prints the help of %s in each way of asking', async name => {
    const help = await run(`help ${name}`)
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`Usage: dsh-session ${name}`) })
    expect(help.stdout).toContain('Examples:\n  dsh-session ')
    expect(await run(`${name} --help`)).toEqual(help)
    expect(await run(`--root /x ${name} -h`)).toEqual(help)
  })

  it.each([
    ['nonsense', "unknown command 'nonsense'"],
    ['sho', "unknown command 'sho' (Did you mean show?)"],
    ['help nonsense', "unknown command 'nonsense'"],
    ['help sho', "unknown command 'sho' (Did you mean show?)"],
    ['help -- --version', "unknown command '--version'"],
    ['help show extra', "too many arguments for 'help'"],
    ['ls --jsn', "unknown option '--jsn' (Did you mean --json?)"],
    ['ls extra', 'too many arguments'],
    ['show', "missing required argument 'id'"],
    ['ls --limit', "option '-n, --limit <n>' argument missing"],
    ['ls --color sometimes', '--color takes one of auto, always, never, not "sometimes"'],
    ['ls --backend tape', '--backend takes one of jsonl, sqlite, not "tape"'],
  ])('refuses %s in one line', async (command, words) => {
    const { code, stdout, stderr } = await run(command, { root: shared.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^dsh-session: USAGE: .*; see dsh-session --help\n$/)
    expect(stderr).toContain(words)
  })

  it('tells a program of its errors in JSON', async () => {
    const usage = await run('show --json', { root: shared.path })
    expect(JSON.parse(usage.stderr)).toEqual({ error: { code: 'USAGE', message: "missing required argument 'id'" } })
    const missing = await run('show nope --json', { root: shared.path })
    expect(JSON.parse(missing.stderr)).toMatchObject({ error: { code: 'SESSION_NOT_FOUND', session: 'nope' } })
  })

  it.each(['export demo', 'completion bash'])('refuses --json for %s, and shows it to nobody', async command => {
    const { code, stdout, stderr } = await run(`${command} --json`, { root: shared.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'USAGE', message: 'this command has no --json' } })
    const help = await run(`${command} --help`)
    expect(help.stdout).toContain('--quiet')
    expect(help.stdout).not.toContain('--json')
  })

  it('shows what an argument would do to the terminal', async () => {
    for (const command of [
      ['show', 'a\n\u001b[2J'],
      ['\u001b[2J'],
      ['ls', '--\u001b[2J'],
      ['ls', '--since', '\u001b[2J'],
    ]) {
      const { stderr } = await run(command, { root: shared.path })
      expect(stderr).toContain('[2J')
      expect(stderr).toMatch(/^[\x20-\x7e…–]*\n$/)
    }
  })

  it('takes the options that all commands have on either side of the command', async () => {
    const expected = await run('ls --ids', { root: shared.path })
    expect(await run(`--root ${shared.path} ls --ids`)).toEqual(expected)
    expect(await run(`ls --ids --root ${shared.path}`)).toEqual(expected)
    expect(await run(`ls --ids --root=${shared.path}`)).toEqual(expected)
  })

  it('takes an id that looks like an option behind two dashes', async () => {
    expect(await run('show --root /tmp -- --help', { root: shared.path })).toMatchObject({ code: 3 })
  })

  it('says when the root is not there, and makes none', async () => {
    expect(await run('ls', { root: '/nowhere/at/all' })).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^dsh-session: ROOT_NOT_FOUND: there is no \/nowhere\/at\/all; /),
    })
  })
})

describe('colours', () => {
  const isColoured = async (command: string, columns?: number, env: Record<string, string> = {}) => {
    const { stdout } = await run(command, { root: shared.path, columns, env })
    return stdout.includes('\u001b[')
  }

  it('are for terminals, and for those who want them', async () => {
    expect(await isColoured('ls', 80)).toBe(true)
    expect(await isColoured('ls')).toBe(false)
    expect(await isColoured('ls', 80, { NO_COLOR: '1' })).toBe(false)
    expect(await isColoured('ls', 80, { NO_COLOR: '' })).toBe(true)
    expect(await isColoured('ls', 80, { TERM: 'dumb' })).toBe(false)
    expect(await isColoured('ls --color never', 80)).toBe(false)
    expect(await isColoured('ls --color always')).toBe(true)
    expect(await isColoured('ls --color always', 80, { NO_COLOR: '1' })).toBe(true)
    expect(await isColoured('ls --json', 80)).toBe(false)
  })

  it('change nothing else', async () => {
    const plain = await run('show demo', { root: shared.path, columns: 80, env: { NO_COLOR: '1' } })
    const coloured = await run('show demo', { root: shared.path, columns: 80 })
    const marker = String.fromCharCode(0x1b)
    expect(
      coloured.stdout
        .split(marker)
        .map((part, index) => (index === 0 ? part : part.replace(/^\[\d+m/, '')))
        .join(''),
    ).toBe(plain.stdout)
  })
})

describe('a reader that goes away', () => {
  it.each(['ls', 'show demo', 'events demo', 'stats', 'verify', 'export demo', '--help'])(
    'ends %s without a word',
    async command => {
      const { io, stderr } = createIo({ root: shared.path })
      const stdout = new Writable({
        write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
      })
      const code = await main(command.split(' '), { ...io, stdout: stdout as Io['stdout'] })
      expect({ code, stderr: stderr.text.replace(/^\d+ sessions checked.*\n/, '') }).toEqual({ code: 0, stderr: '' })
    },
  )
})
