import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../src/commands/index.js'
import { TestRoot } from './support/root.js'
import { run } from './support/run.js'

/** What each command does where nothing is stored: the exit code, by command line. */
const lines: Readonly<Record<string, number>> = {
  ls: 0,
  'ls --trash': 0,
  'show x': 3,
  'messages @latest': 3,
  'events x --follow': 3,
  'tail x -f': 3,
  'diff x y': 3,
  'search x': 0,
  stats: 0,
  'fork x': 3,
  'import missing': 3,
  'export x': 3,
  'migrate --to copy': 0,
  verify: 0,
  'verify x': 3,
  doctor: 0,
  'doctor x --salvage': 3,
  'trash x': 3,
  'restore x': 3,
  'rm x --yes': 3,
  'prune --older-than 1d --yes': 0,
  path: 0,
  'path x': 3,
  'completion bash': 0,
}

it('has an answer for every command in an empty root', async () => {
  const { path: root } = new TestRoot()
  mkdirSync(root)
  for (const [line, expected] of Object.entries(lines)) {
    const { code, stdout, stderr } = await run(line, { root, cwd: dirname(root) })
    expect({ line, code }).toEqual({ line, code: expected })
    if (expected === 3)
      expect({ line, stdout, stderr }).toMatchObject({
        stdout: '',
        stderr: expect.stringMatching(/^dsh-session: [A-Z_]+: .*\n$/),
      })
    else expect(stderr).not.toContain('dsh-session: ')
  }
  const tried = new Set(Object.keys(lines).map(line => line.split(' ')[0]))
  for (const { name } of commands) expect(tried).toContain(name)
})
