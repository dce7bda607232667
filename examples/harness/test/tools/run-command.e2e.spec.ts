import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../src/tools/run-command.ts'
import { contextOf, created, temporaryDirectory } from '../support/workspace.ts'

describe('run_command', () => {
  it('runs in the directory and answers with exit code and output', async () => {
    const context = contextOf(temporaryDirectory())
    const { text, meta } = await runCommand.run({ command: 'pwd; echo oops >&2; exit 3' }, context)
    expect(text.split('\n').sort()).toEqual([context.workspace.root, 'exit code 3', 'oops'].sort())
    expect(meta).toEqual({ exitCode: 3 })
  })

  it('stops a command that takes too long, with all that it has started', async () => {
    const directory = temporaryDirectory()
    const command = 'echo begun; (sleep 60; touch late) & sleep 60'
    await expect(runCommand.run({ command, timeout_ms: 300 }, contextOf(directory))).rejects.toMatchObject({
      code: 'COMMAND_TIMEOUT',
      message: 'Stopped after 300 ms.\nbegun\n',
    })
    expect(existsSync(join(directory, 'late'))).toBe(false)
  })

  it('stops when the signal aborts', async () => {
    const directory = temporaryDirectory()
    const abort = new AbortController()
    const run = runCommand.run({ command: 'touch begun; sleep 60' }, contextOf(directory, abort.signal))
    await created(directory, 'begun')
    abort.abort('stop')
    await expect(run).rejects.toBe('stop')
    await expect(runCommand.run({ command: 'touch no' }, contextOf(directory, abort.signal))).rejects.toBe('stop')
    expect(existsSync(join(directory, 'no'))).toBe(false)
  })

  it('ends with its command, whatever that has left running', async () => {
    const context = contextOf(temporaryDirectory())
    expect((await runCommand.run({ command: 'sleep 60 & echo done' }, context)).text).toBe('exit code 0\ndone')
  })

  it('keeps the end of an output without end', async () => {
    const context = contextOf(temporaryDirectory())
    const { text } = await runCommand.run({ command: 'seq 1 100000; echo last' }, context)
    expect(text.length).toBeLessThan(40_000)
    expect(text).toMatch(/^exit code 0\n… \d+ characters left out …\n[\s\S]*\nlast$/)
  })

  it('hands no secrets to the command', async () => {
    process.env.DSH_TEST_API_KEY = 'secret'
    const { text } = await runCommand.run(
      { command: 'echo "[$DSH_TEST_API_KEY][$PATH]"' },
      contextOf(temporaryDirectory()),
    )
    delete process.env.DSH_TEST_API_KEY
    expect(text).toMatch(/\[\]\[.+\]/)
  })

  it('answers with what no shell can run', async () => {
    const { text } = await runCommand.run({ command: 'no-such-command-here' }, contextOf(temporaryDirectory()))
    expect(text).toMatch(/^exit code 127\n/)
    await expect(
      runCommand.run({ command: 'true', timeout_ms: 0 }, contextOf(temporaryDirectory())),
    ).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    })
  })
})
