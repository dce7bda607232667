import { describe, expect, it } from 'vitest'
import { commands } from '../../src/commands/index.js'
import { sharedRoot } from '../support/root.js'
import { run } from '../support/run.js'

const shared = sharedRoot()

async function complete(...words: string[]) {
  const { code, stdout, stderr } = await run(['__complete', ...words], { root: shared.path })
  expect(stderr).toBe('')
  return {
    code,
    words: stdout
      .split('\n')
      .filter(line => line !== '')
      .map(line => line.split('\t')[0]),
  }
}

describe('completion', () => {
  it('offers commands, with what they do', async () => {
    expect((await complete('')).words).toEqual(commands.map(({ name }) => name))
    expect((await complete('help', 'sh')).words).toEqual(['show'])
    const { stdout } = await run(['__complete', 'sho'], { root: shared.path })
    expect(stdout).toMatch(/^show\toutline a session/)
  })

  it('offers the options of the command, and those that all have', async () => {
    const { words } = await complete('ls', '--')
    expect(words).toEqual(expect.arrayContaining(['--limit', '--state', '--json', '--root', '--help']))
    expect((await complete('show', '--d')).words).toEqual(['--depth'])
    expect((await complete('--')).words).toContain('--root')
    expect((await complete('export', '--')).words).not.toContain('--json')
    expect((await complete('show', '--', '--d')).words).toEqual([])
  })

  it('offers the words that an option takes', async () => {
    expect((await complete('ls', '--state', '')).words).toEqual(['ok', 'unfinished', 'corrupt'])
    expect((await complete('--color', 'n')).words).toEqual(['never'])
    expect((await complete('ls', '--limit', '')).words).toEqual([])
    expect((await complete('completion', '')).words).toEqual(['bash', 'zsh', 'fish'])
  })

  it('offers the sessions of the root that the line names', async () => {
    expect((await complete('show', 'de')).words).toEqual(['demo-fork', 'demo'])
    expect((await complete('show', '@')).words).toEqual(['@latest'])
    expect((await complete('show', '--turns', '2', 'scr')).words).toEqual(['scratch'])
    expect((await complete('diff', 'demo', 'demo-')).words).toEqual(['demo-fork'])
    expect((await complete('trash', 'demo', 'scratch', 'br')).words).toEqual(['broken'])
    expect((await complete('restore', '')).words).toEqual(['discarded'])
    expect((await complete('rm', 'scr')).words).toEqual(['scratch'])
    expect((await complete('rm', '--yes', '--trashed', '')).words).toEqual(['discarded'])
    expect((await complete('trash', '--empty', '')).words).toEqual([])
    expect((await complete('show', '--root', '/nowhere', '')).words).toEqual([])
    expect((await complete('show', '--root=/nowhere', '')).words).toEqual([])
  })

  it('offers nothing where nothing goes', async () => {
    expect((await complete('show', 'demo', '')).words).toEqual([])
    expect((await complete('nonsense', 'x')).words).not.toContain('demo')
    expect(await complete()).toMatchObject({ code: 0 })
  })

  it('leaves files and directories to the shell', async () => {
    expect((await complete('import', '')).code).toBe(10)
    expect((await complete('export', 'demo', '-o', '')).code).toBe(10)
    expect((await complete('--root', '')).code).toBe(11)
    expect((await complete('ls', '--cwd', 'x')).code).toBe(11)
  })
})
