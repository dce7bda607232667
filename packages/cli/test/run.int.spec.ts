import { describe, expect, it } from 'vitest'
import { type Command, defineCommand } from '../src/command.js'
import { CliError } from '../src/error.js'
import { flag, value } from '../src/option.js'
import { count } from '../src/parse-value.js'
import { CommandRun } from '../src/run.js'
import { sharedRoot } from './support/root.js'
import { createIo, type RunOptions } from './support/run.js'

const shared = sharedRoot()

async function runCommand(
  command: Pick<Command, 'run'> & Partial<Command>,
  given: object = {},
  options: RunOptions = {},
) {
  const { io, stdout, stderr } = createIo({ root: shared.path, ...options })
  const run = new CommandRun({ ...given }, io)
  const code = await run.run({ about: 'Test.', examples: [], ...command }, ['argument'])
  return { code, stdout: stdout.text, stderr: stderr.text, run }
}

describe('CommandRun', () => {
  it('gives a command its arguments and its options as values', async () => {
    const seen: unknown[] = []
    const command = defineCommand({
      about: 'Test.',
      examples: [],
      options: { limit: value('n', 'x', count('--limit')), all: flag('x') },
      async run(_context, args, options) {
        seen.push(args, options)
        return 1
      },
    })
    expect((await runCommand(command, { limit: '7' })).code).toBe(1)
    expect(seen).toEqual([['argument'], { limit: 7, all: false }])
  })

  it('ends with 0 where a command says nothing, and with the code of its error', async () => {
    expect(await runCommand({ run: async () => undefined })).toMatchObject({ code: 0 })
    const fail = async () => {
      throw new CliError('AMBIGUOUS_ID', 'x fits y, z')
    }
    expect(await runCommand({ run: fail })).toMatchObject({
      code: 4,
      stderr: 'dsh-session: AMBIGUOUS_ID: x fits y, z\n',
    })
  })

  it('prints what was there before an error, and tells a bug as one', async () => {
    const command: Pick<Command, 'run'> = {
      async run({ out }) {
        out.line('first')
        throw new TypeError('oh')
      },
    }
    expect(await runCommand(command)).toMatchObject({
      code: 70,
      stdout: 'first\n',
      stderr: 'dsh-session: INTERNAL: oh\n',
    })
  })

  it('opens the storage once, and closes it at the end', async () => {
    let persistence: { list(): Promise<unknown> } | undefined
    await runCommand({
      async run(context) {
        const store = await context.store()
        expect(await context.store()).toBe(store)
        persistence = store.persistence
        await persistence.list()
        return 0
      },
    })
    await expect(persistence!.list()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  })

  it('says nothing but results and errors when it is to be quiet', async () => {
    const command: Pick<Command, 'run'> = {
      async run({ note, fail, out, progress }) {
        note('by the way')
        progress().update('1 of 2')
        out.line('result')
        return fail(new CliError('USAGE', 'no'))
      },
    }
    const loud = await runCommand(command, {}, { columns: 80 })
    const quiet = await runCommand(command, { quiet: true })
    expect(loud.stderr).toContain('by the way')
    expect(quiet).toMatchObject({ code: 2, stdout: 'result\n', stderr: expect.stringMatching(/^dsh-session: USAGE/) })
    expect(quiet.stderr).not.toContain('by the way')
  })

  it('is interrupted without a word', async () => {
    const interrupt = new AbortController()
    const command: Pick<Command, 'run'> = {
      async run({ signal }) {
        interrupt.abort()
        signal.throwIfAborted()
        return 0
      },
    }
    expect(await runCommand(command, {}, { signal: interrupt.signal })).toMatchObject({ code: 130, stderr: '' })
  })

  it('refuses values that no command could work with', () => {
    const { io } = createIo()
    expect(() => new CommandRun({ color: 'x' }, io)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => new CommandRun({ backend: 'x' }, io)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})
