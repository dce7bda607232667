import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, source } from '../support/run.ts'
import { pty, Terminal } from '../support/terminal.ts'
import { variants } from '../support/variants.ts'
import { created, directoryWith } from '../support/workspace.ts'

const main = source('chat/main.ts')
const files = { 'README.md': '# Title\n', 'a.ts': 'export const a = 1\n' }

const describeTerminal = pty === undefined ? describe.skip : describe

describeTerminal.each(variants)('the chat at a terminal ($backend, rules: $rules)', ({ backend, rules }) => {
  const onBackend = ['--backend', backend]

  function open(directory: string, args: readonly string[] = []): Terminal {
    return new Terminal(main, [...onBackend, ...args], directory, { DSH_INVARIANTS: rules })
  }

  it('talks, lists, forks, resumes and quits', async () => {
    const directory = directoryWith(files)
    const chat = open(directory)
    await chat.shows('offline/planner works on')
    await chat.shows('› ')
    const [, id] = /session (\S+),/.exec(chat.text)!
    chat.enter('Read README.md')
    await chat.shows('README.md, 1 lines:')
    await chat.shows('— turn 1: completed')
    chat.enter('Search for "export"')
    await chat.shows('— turn 2: completed')
    chat.enter('/fork 1')
    await chat.shows('session chat-')
    chat.enter('What have we done so far?')
    await chat.shows('- "Read README.md"')
    await chat.shows('— turn 2: completed')
    expect(chat.text.split('So far:')[1]).not.toContain('export')
    chat.enter('/list')
    await chat.shows(`  ${id}  `)
    chat.enter(`/resume ${id}`)
    await chat.shows(`session ${id}, `)
    chat.enter('/turns')
    await chat.shows('turn 2: completed')
    chat.enter('/quit')
    expect(await chat.exit).toBe(0)
  })

  it('aborts the turn on Ctrl-C, and takes what was typed in the meantime for steering', async () => {
    const directory = directoryWith(files)
    const chat = open(directory)
    await chat.shows('› ')
    chat.enter('Run `touch begun; sleep 60`')
    await chat.shows('⚙ run_command')
    chat.type('Read REA')
    chat.type('DME.md')
    chat.type('\r')
    chat.type('\x03')
    await chat.shows('— turn 1: aborted')
    await chat.shows('README.md, 1 lines:')
    await chat.shows('— turn 2: completed')
    chat.enter('/quit')
    expect(await chat.exit).toBe(0)
  })

  it('quits cleanly on Ctrl-C twice, in the middle of a turn too', async () => {
    const directory = directoryWith(files)
    const chat = open(directory)
    await chat.shows('› ')
    const [, id] = /session (\S+),/.exec(chat.text)!
    chat.enter('Run `sleep 60`')
    await chat.shows('⚙ run_command')
    chat.type('\x03')
    await chat.shows('Ctrl-C again quits.')
    chat.type('\x03')
    expect(await chat.exit).toBe(0)
    const { output } = await run(main, { cwd: directory, args: [...onBackend, '--resume', id!], input: '/turns\n' })
    expect(output).toMatch(/turn 1: (aborted|disposed), 1 step/)
    expect(output).not.toContain('in the middle of a turn')
  })

  it('shows how it closed a turn that was killed, and goes on with it', async () => {
    const directory = directoryWith(files)
    const chat = open(directory)
    await chat.shows('› ')
    const [, id] = /session (\S+),/.exec(chat.text)!
    chat.enter('Run `touch begun; sleep 1; echo done > out.txt`')
    await created(directory, 'begun')
    chat.kill()
    await chat.exit
    const again = open(directory, ['--resume', id!.slice(0, -1)])
    await again.shows('The process ended in the middle of a turn')
    await again.shows('TOOL_OUTCOME_UNKNOWN')
    again.enter('/retry')
    await again.shows('↻ going on')
    await again.shows('— turn 2: completed')
    expect(existsSync(join(directory, 'out.txt'))).toBe(true)
    again.type('\x04')
    expect(await again.exit).toBe(0)
  })

  it('says what it does not understand, and goes on', async () => {
    const chat = open(directoryWith(files))
    await chat.shows('› ')
    for (const [line, answer] of [
      ['/nothing', 'There is no /nothing; see /help.'],
      ['/constructor', 'There is no /constructor'],
      ['/resume', 'Which session? See /list.'],
      ['/resume nobody', 'SESSION_NOT_FOUND'],
      ['/fork', 'No turn has ended yet.'],
      ['/fork 7', 'INVALID_BOUNDARY'],
      ['/note', 'What shall I note?'],
      ['/compact', 'There is nothing to summarise yet.'],
      ['/help', 'leave'],
    ] as const) {
      chat.enter(line)
      await chat.shows(answer)
    }
    chat.enter('Run `sleep 60`')
    await chat.shows('⚙ run_command')
    chat.enter('/new')
    await chat.shows('A turn is running. Ctrl-C aborts it.')
    chat.type('\x03\x03')
    expect(await chat.exit).toBe(0)
  })

  it('shows notes, the todo list, the history, the summary and where the log is', async () => {
    const directory = directoryWith(files)
    const chat = open(directory)
    await chat.shows('› ')
    chat.enter('/note the build is green')
    await chat.shows('ℹ note: the build is green')
    chat.enter('Search for "a" and write it to out.md')
    await chat.shows('☑ Write out.md')
    await chat.shows('(Noted: the build is green)')
    await chat.shows('— turn 1: completed')
    chat.enter('/todo')
    await chat.shows('completed: Write out.md')
    chat.enter('/history')
    await chat.shows('   1  note        the build is green')
    chat.enter('/compact')
    await chat.shows('the model sees 1 message')
    chat.enter('/info')
    await chat.shows('log      ')
    await chat.shows(join(directory, '.dsh-sessions'))
    chat.enter('/quit')
    expect(await chat.exit).toBe(0)
  })
})
