import { describe, expect, it, onTestFinished } from 'vitest'
import { delta, failed, type Reply, silent, startOpenAiServer, streamed } from '../support/openai-server.ts'
import { run, source } from '../support/run.ts'
import { pty, Terminal } from '../support/terminal.ts'
import { directoryWith } from '../support/workspace.ts'

const main = source('chat/main.ts')
const files = { 'README.md': '# Title\n', 'a.ts': 'export const a = 1\n' }

function open(directory: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Terminal {
  return new Terminal(main, args, directory, env)
}

describe('the chat with a live model', () => {
  async function serve(...replies: readonly Reply[]) {
    const server = await startOpenAiServer(...replies)
    onTestFinished(() => server.close())
    return { DSH_PROVIDER: 'openai-compatible', DSH_MODEL: 'local', DSH_BASE_URL: server.url }
  }

  it('shows its answers, calls and failures', async () => {
    const env = await serve(
      streamed(
        delta.text('I read it.'),
        delta.call(0, 'a', 'read_file', '{"path":"README.md"}'),
        delta.finish('tool_calls'),
      ),
      streamed(delta.text('It has a title.'), delta.finish('stop')),
      failed(401, 'No such key'),
    )
    const { code, output } = await run(main, { cwd: directoryWith(files), env, input: 'What is in it?\nAnd now?\n' })
    expect(code).toBe(0)
    expect(output).toContain('openai-compatible/local works on')
    expect(output).toContain('✓ read_file: README.md, 1 lines')
    expect(output).toContain('It has a title.')
    expect(output.match(/✗ HTTP_ERROR: No such key/g)).toHaveLength(1)
    expect(output).toContain('— turn 2: failed: HTTP_ERROR: No such key')
  })

  it.skipIf(pty === undefined)('lets go of it on Ctrl-C', async () => {
    const chat = open(directoryWith(files), [], await serve(silent(delta.text('Well, '))))
    await chat.shows('› ')
    chat.enter('Hello')
    await chat.shows('Well, ')
    chat.type('\x03')
    await chat.shows('— turn 1: aborted')
    chat.type('\x03')
    expect(await chat.exit).toBe(0)
  })
})

describe('the chat with a script for a person', () => {
  it('takes a line after the other, and shows plain text', async () => {
    const directory = directoryWith(files)
    const input = 'Read README.md\n\nWhat have we done so far?\n/info\n'
    const { code, output } = await run(main, { cwd: directory, input, env: { FORCE_COLOR: '1' } })
    expect(code).toBe(0)
    expect(output).toContain('› Read README.md')
    expect(output).toContain('So far:\n- "Read README.md"')
    expect(output).toMatch(/events {3}\d+, of which \d+ are durable/)
    expect(output).not.toContain('\x1b')
  })

  it.each([
    ['an id that nobody has', ['--resume', 'nobody'], {}, 'SESSION_NOT_FOUND'],
    ['an option that there is not', ['--nothing'], {}, 'nothing'],
    ['a directory that there is not', ['--directory', 'nothing'], {}, 'ENOENT'],
    ['a backend that there is not', ['--backend', 'sql'], {}, '--backend: expected jsonl or sqlite, found "sql"'],
    ['a provider that there is not', [], { DSH_PROVIDER: 'nobody' }, 'DSH_PROVIDER: expected one of offline'],
    ['a mode that there is not', [], { DSH_INVARIANTS: 'maybe' }, 'DSH_INVARIANTS: expected throw, report or off'],
  ])('refuses %s with exit code 1', async (_, args, env, message) => {
    const { code, output, errors } = await run(main, { cwd: directoryWith(files), args, env })
    expect(errors).toContain(message)
    expect(errors).not.toContain('    at ')
    expect([code, output]).toEqual([1, errors])
  })

  it('says which sessions begin alike, and takes a whole id for that session', async () => {
    const directory = directoryWith(files)
    await run(main, { cwd: directory, input: '/note one\n/new\n/note two\n' })
    const { output, code } = await run(main, { cwd: directory, args: ['--resume', 'chat-'] })
    expect([output, code]).toEqual([expect.stringMatching(/^2 sessions begin like this: chat-/), 1])
  })

  it('keeps no session in which nothing was said, but each one that it has gone on with', async () => {
    const directory = directoryWith(files)
    await run(main, { cwd: directory })
    const empty = await run(main, { cwd: directory, input: '/new\n/note one\n/new\n/new\n' })
    expect(empty.code).toBe(0)
    const listed = await run(main, { cwd: directory, input: '/list\n' })
    const [current, ...others] = listed.output.match(/^[* ] chat-.*$/gm)!
    expect(current).toMatch(/^\* .* 0 turns/)
    expect(others).toHaveLength(1)
    const [id] = /chat-\S+/.exec(others[0]!)!
    await run(main, { cwd: directory, args: ['--resume', id] })
    const again = await run(main, { cwd: directory, args: ['--resume', id], input: '/list\n' })
    expect(again.output.match(/^[* ] chat-.*$/gm)).toEqual([expect.stringContaining(`* ${id}`)])
  })

  it('says when there is no todo list, and counts one message as one', async () => {
    const input = '/todo\nRead README.md\n/compact\n'
    const { output } = await run(main, { cwd: directoryWith(files), input })
    expect(output).toContain('There is no todo list.')
    expect(output).toMatch(/the model sees 1 message$/m)
  })

  it('says how it is used', async () => {
    const { code, output } = await run(main, { cwd: directoryWith(files), args: ['--help'] })
    expect([code, output]).toEqual([0, expect.stringMatching(/^Usage: chat /)])
  })
})
