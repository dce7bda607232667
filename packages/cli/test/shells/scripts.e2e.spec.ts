import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { scripts } from '../../src/shells/scripts.js'
import { bin } from '../support/processes.js'
import { exampleRoot, type TestRoot, temporary } from '../support/root.js'

const shell = promisify(execFile)
const has = (name: string) => spawnSync(name, ['--version']).status === 0

async function setUp(root: TestRoot) {
  const folder = temporary()
  writeFileSync(join(folder, 'dsh-session'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(join(folder, 'dsh-session'), 0o755)
  for (const [name, script] of Object.entries(scripts)) writeFileSync(join(folder, name), script)
  writeFileSync(join(folder, 'notes.md'), '')
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, DSH_SESSION_ROOT: root.path }
  return { folder, env }
}

describe('the script for bash', () => {
  it('completes commands, options, sessions and files', async () => {
    const root = await exampleRoot()
    await root.store('with space', [])
    const { folder, env } = await setUp(root)
    const lines = [
      ['sho'],
      ['show', 'demo-'],
      ['show', '--dep'],
      ['ls', '--state', 'o'],
      ['show', 'with'],
      ['import', 'no'],
    ]
    const script = `
      source ./bash
      complete -p dsh-session
      ask() {
        COMP_WORDS=(dsh-session "$@"); COMP_CWORD=$#; COMPREPLY=()
        _dsh_session 2>/dev/null
        echo "\${COMPREPLY[*]}"
      }
      ${lines.map(words => `ask ${words.map(word => `'${word}'`).join(' ')}`).join('\n')}`
    const { stdout } = await shell('bash', ['--norc', '-c', script], { cwd: folder, env })
    expect(stdout.split('\n')).toEqual([
      'complete -F _dsh_session dsh-session',
      'show',
      'demo-fork',
      '--depth',
      'ok',
      'with\\ space',
      '',
      '',
    ])
  })
})

describe.each(['bash', 'zsh', 'fish'] as const)('the script for %s', name => {
  it.skipIf(!has(name))('is one that the shell can read', async () => {
    const { folder, env } = await setUp(await exampleRoot())
    await shell(name, ['-n', join(folder, name)], { env })
  })
})

describe('the script for fish', () => {
  it.skipIf(!has('fish'))('completes commands and sessions', async () => {
    const { folder, env } = await setUp(await exampleRoot())
    const ask = async (line: string) => {
      const { stdout } = await shell('fish', ['--no-config', '-c', `source ${folder}/fish; complete -C '${line}'`], {
        env,
        cwd: folder,
      })
      return stdout
        .trim()
        .split('\n')
        .map(reply => reply.split('\t')[0])
    }
    expect(await ask('dsh-session sho')).toEqual(['show'])
    expect(await ask('dsh-session show demo-')).toEqual(['demo-fork'])
    expect(await ask('dsh-session import no')).toContain('notes.md')
  })
})
