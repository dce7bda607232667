import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { run, source } from '../support/run.ts'
import { pty, Terminal } from '../support/terminal.ts'
import { directoryWith } from '../support/workspace.ts'

const main = source('chat/main.ts')
const example = fileURLToPath(new URL('../../cordis.yml', import.meta.url))

/** The example with the other backend, whose entry stands in it as a comment. */
function onSqlite(text: string): string {
  const [, head, comment] = /^(.*\n)- name: "@dsh\/persistence-jsonl".*?(\n# - .*)$/s.exec(text)!
  return head! + comment!.replace(/^# /gm, '')
}

describe('the chat on a file of plugins', () => {
  it.each([
    ['jsonl', readFileSync(example, 'utf8'), 'log-0.jsonl'],
    ['sqlite', onSqlite(readFileSync(example, 'utf8')), 'sessions.sqlite'],
  ])('is the same chat, with the example on %s', async (_, text, place) => {
    const directory = directoryWith({ 'cordis.yml': text, 'README.md': '# Title\n' })
    const args = ['--config', 'cordis.yml']
    const first = await run(main, { cwd: directory, args, input: 'Read README.md\n/info\n' })
    expect(first.output).toContain('README.md, 1 lines:')
    expect(first.output).toMatch(new RegExp(`log .*/\\.dsh-sessions/.*${place}`))
    const [, id] = /session {2}(\S+)/.exec(first.output)!
    const second = await run(main, { cwd: directory, args: [...args, '--resume', id!], input: '/turns\n' })
    expect([second.code, second.output]).toEqual([0, expect.stringContaining('turn 1: completed, 2 steps')])
  })

  it.each([
    [
      'a wrong option',
      "- name: '@dsh/persistence-jsonl'\n  config:\n    root: sessions\n",
      /^INVALID_CONFIG: .* line 3\)$/,
    ],
    ['no file', undefined, /^INVALID_CONFIG: expected a file that can be read, found ENOENT/],
  ])('is refused in one line for %s', async (_, text, message) => {
    const cwd = directoryWith(text === undefined ? {} : { 'cordis.yml': text })
    const { code, output } = await run(main, { cwd, args: ['--config', 'cordis.yml'] })
    expect([code, output.trimEnd()]).toEqual([1, expect.stringMatching(message)])
    expect(output.trimEnd()).not.toContain('\n')
  })

  it('is not told of a backend in two ways', async () => {
    const args = ['--config', example, '--backend', 'jsonl']
    const { code, output } = await run(main, { cwd: directoryWith({}), args })
    expect([code, output]).toEqual([1, expect.stringContaining('--backend: the file that --config names says which')])
  })

  it.skipIf(pty === undefined)('goes over to another backend in the middle of a session', async () => {
    const text = readFileSync(example, 'utf8')
    const directory = directoryWith({ 'cordis.yml': text, 'README.md': '# Title\n' })
    const write = (changed: string) => writeFileSync(join(directory, 'cordis.yml'), changed)
    const chat = new Terminal(main, ['--config', 'cordis.yml'], directory)
    await chat.shows('› ')
    const [, id] = /session (\S+),/.exec(chat.text)!
    chat.enter('Read README.md')
    await chat.shows('— turn 1: completed')
    write(text.replace('root:', 'rooot:'))
    await chat.shows('✗ INVALID_CONFIG: expected only the options root')
    write(text.replace('- name: "@dsh/session-store"', ''))
    await chat.shows('✗ INVALID_CONFIG: expected the entry that provides sessions as it was')
    write(text.replace('- name: "@dsh/session-store"', '- id: store\n  name: "@dsh/session-store"'))
    await chat.shows('✗ INVALID_CONFIG: expected the entry that provides sessions as it was')
    chat.enter('/info')
    await chat.shows('are durable')
    expect(chat.text).toMatch(/events {3}(\d+), of which \1 are durable/)
    write(onSqlite(text))
    await chat.shows('cordis.yml: - @dsh/persistence-jsonl, + @dsh/persistence-sqlite')
    chat.enter('What have we done so far?')
    await chat.shows('— turn 2: completed')
    chat.enter('/quit')
    expect(await chat.exit).toBe(0)
    const args = ['--backend', 'sqlite', '--resume', id!]
    const { output } = await run(main, { cwd: directory, args, input: '/turns\n' })
    expect(output).toContain('turn 2: completed')
  })
})
