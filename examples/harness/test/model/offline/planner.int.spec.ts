import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageText, toolCalls } from '@dsh/llm'
import { todoList } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { OfflineProvider } from '../../../src/model/offline/provider.ts'
import { tools } from '../../../src/tools/index.ts'
import type { Tool } from '../../../src/tools/tool.ts'
import { collect } from '../../support/collect.ts'
import { signal, startHarness } from '../../support/harness.ts'
import { directoryWith } from '../../support/workspace.ts'

const files = {
  'src/large.ts': `${'// a line\n'.repeat(20)}export class Large {}\nexport async function* grow() {}\nexport * from './small.js'\n`,
  // More bytes than the long one, in fewer lines.
  'src/small.ts': `export const small = '${'x'.repeat(500)}'\n`,
  'src/large.spec.ts': `${'// a test\n'.repeat(90)}`,
  'README.md': '# Title\n\nWhat this is.\n\n## Part\n',
}

async function start(options: ConstructorParameters<typeof OfflineProvider>[0] = {}, used: readonly Tool[] = tools) {
  const directory = directoryWith(files)
  const harness = await startHarness({ provider: new OfflineProvider(options), directory, tools: used })
  const ask = async (text: string) => {
    expect(await harness.loop.prompt(text)).toEqual({ kind: 'completed' })
    return messageText(harness.session.deriveMessages().at(-1)!)
  }
  return { ...harness, directory, ask }
}

/** The tool, whose first call is aborted with its turn at one of its ends. */
function interruptedOnce(name: string, abort: () => void, when: 'before' | 'after'): readonly Tool[] {
  let isFirst = true
  return tools.map(tool => {
    if (tool.schema.name !== name) return tool
    return {
      ...tool,
      async run(args, context) {
        if (!isFirst) return tool.run(args, context)
        isFirst = false
        if (when === 'after') await tool.run(args, context)
        abort()
        return { text: 'unheard' }
      },
    }
  })
}

describe('the planner', () => {
  it('finds the longest source files and what they export', async () => {
    const { ask } = await start()
    expect(await ask('Find the 2 longest source files and summarise their exports.')).toBe(
      [
        'The 2 longest source files:',
        '1. src/large.ts, 23 lines: exports class Large, function grow, 1 re-export',
        '2. src/small.ts, 1 lines: exports const small',
      ].join('\n'),
    )
  })

  it('searches, reads and runs', async () => {
    const { ask } = await start()
    expect(await ask('Search for "export"')).toBe(
      '"export": 4 matches in 2 files.\n- src/large.ts: 3\n- src/small.ts: 1',
    )
    expect(await ask('Please read README.md')).toBe('README.md, 5 lines:\n- # Title\n- ## Part')
    expect(await ask('Run `echo hello; exit 2`')).toBe(
      '`echo hello; exit 2` ended with exit code 2 and printed:\nhello',
    )
    expect(await ask('Read nope.md')).toBe('"nope.md" cannot be read: it does not exist.')
  })

  it('looks around where it understands nothing, and says what it does understand', async () => {
    const { ask } = await start()
    expect(await ask('Good morning')).toMatch(
      /^This directory holds 1 files at its top\. Its README says: What this is\.\n/,
    )
  })

  it('does several things in one turn, with a todo list', async () => {
    const { ask, session, directory } = await start()
    const answer = await ask('Search for "small" and write it to out/report.md')
    expect(answer).toContain('out/report.md is written.')
    expect(readFileSync(join(directory, 'out', 'report.md'), 'utf8')).toBe(
      '# Report\n\n"small": 2 matches in 2 files.\n- src/large.ts: 1\n- src/small.ts: 1\n',
    )
    const lists = [...session].flatMap(event =>
      event.type === 'todo/write' ? [event.data.todos.map(({ status }) => status)] : [],
    )
    expect(lists).toEqual([
      ['in_progress', 'pending'],
      ['completed', 'in_progress'],
      ['completed', 'completed'],
    ])
    expect(session.fold(todoList).map(({ content }) => content)).toEqual(['Search for "small"', 'Write out/report.md'])
  })

  it('writes what it answered last where nothing else is asked for', async () => {
    const { ask, directory } = await start()
    const answer = await ask('Read README.md')
    await ask('Save it to readme.txt')
    expect(readFileSync(join(directory, 'readme.txt'), 'utf8')).toBe(`# Report\n\n${answer}\n`)
  })

  it('remembers what was said, also what was summarised, and what plugins have told', async () => {
    const { ask, ctx, loop, session } = await start()
    expect(await ask('What have we done so far?')).toBe('Nothing so far.')
    await ask('Read README.md')
    await ctx.agent.compact(session, new AbortController().signal)
    await ask('Run `echo hi`')
    loop.inject('ci', 'all green')
    expect(await ask('What have we done so far?')).toBe(
      [
        '(Noted: all green)',
        'So far:',
        '- "What have we done so far?" — Nothing so far.',
        '- "Read README.md" — README.md, 5 lines: - # Title - ## Part',
        '- "Run `echo hi`" — `echo hi` ended with exit code 0 and printed: hi',
      ].join('\n'),
    )
    await ctx.agent.compact(session, new AbortController().signal)
    expect(session.deriveMessages()).toHaveLength(1)
    expect(messageText(session.deriveMessages()[0]!).split('\n')).toHaveLength(5)
  })

  it('does what it is steered to instead', async () => {
    const steering: readonly Tool[] = tools.map(tool => {
      if (tool.schema.name !== 'list_files') return tool
      return {
        ...tool,
        run(args, context) {
          harness.loop.steer('No, read README.md')
          return tool.run(args, context)
        },
      }
    })
    const harness = await start({}, steering)
    expect(await harness.ask('Find the longest files')).toMatch(/^README.md, 5 lines/)
  })

  it('repeats a call that was interrupted before it had an effect', async () => {
    const harness = await start(
      {},
      interruptedOnce('write_file', () => harness.loop.abort(), 'before'),
    )
    const { loop, directory, session } = harness
    expect(await loop.prompt('Search for "small" and write it to report.md')).toEqual({ kind: 'aborted' })
    expect(existsSync(join(directory, 'report.md'))).toBe(false)
    expect(await loop.retry()).toEqual({ kind: 'completed' })
    expect(existsSync(join(directory, 'report.md'))).toBe(true)
    const looks = session.deriveMessages().flatMap(message => toolCalls(message).map(({ name }) => name))
    expect(looks.filter(name => name !== 'todo_write')).toEqual([
      'search_files',
      'write_file',
      'read_file',
      'write_file',
    ])
  })

  it('does not repeat a write that was complete', async () => {
    const harness = await start(
      {},
      interruptedOnce('write_file', () => harness.loop.abort(), 'after'),
    )
    const { loop, directory } = harness
    await loop.prompt('Search for "small" and write it to report.md')
    const { mtimeNs } = statSync(join(directory, 'report.md'), { bigint: true })
    expect(await loop.retry()).toEqual({ kind: 'completed' })
    expect(statSync(join(directory, 'report.md'), { bigint: true }).mtimeNs).toBe(mtimeNs)
  })

  it('looks at what an interrupted command has left before it runs it again', async () => {
    const harness = await start(
      {},
      interruptedOnce('run_command', () => harness.loop.abort(), 'after'),
    )
    const { loop, directory, session } = harness
    await loop.prompt('Run `echo one > out.txt`')
    writeFileSync(join(directory, 'out.txt'), 'changed')
    expect(await loop.retry()).toEqual({ kind: 'completed' })
    expect(readFileSync(join(directory, 'out.txt'), 'utf8')).toBe('one\n')
    const calls = session.deriveMessages().flatMap(message => toolCalls(message).map(({ name }) => name))
    expect(calls).toEqual(['run_command', 'read_file', 'run_command'])
  })

  it('goes on with a request that was summarised in the middle of its work', async () => {
    const { ask, session, directory } = await start({ contextWindow: 3_000 })
    const answer = await ask(
      'Find the 2 longest source files, search for "export", run `seq 1 400` and write it to report.md',
    )
    expect(session.surface.replaceGeneration).toBeGreaterThan(0)
    expect(answer.split('\n\n').map(part => part.split('\n')[0])).toEqual([
      'The 2 longest source files:',
      '"export": 4 matches in 2 files.',
      '`seq 1 400` ended with exit code 0 and printed:',
      'report.md is written.',
    ])
    expect(readFileSync(join(directory, 'report.md'), 'utf8')).toContain('"export": 4 matches in 2 files.')
  })
})

describe('OfflineProvider', () => {
  it('gives the same answer to the same request, in pieces of about a token', async () => {
    const { session, ask } = await start()
    await ask('Read README.md')
    const provider = new OfflineProvider()
    const request = { header: session.requestHeader()!, messages: session.deriveMessages() }
    const [one, two] = await Promise.all(
      [1, 2].map(() => collect(provider.stream(request, new AbortController().signal))),
    )
    expect(one).toEqual(two)
    const deltas = one!.flatMap(chunk => (chunk.type === 'text-delta' ? [chunk.text] : []))
    expect(Math.max(...deltas.map(text => text.trim().length))).toBeLessThanOrEqual(6)
  })

  it('refuses a request that does not fit into its context', async () => {
    const { loop, errors } = await start({ contextWindow: 300 })
    const failure = {
      code: 'CONTEXT_OVERFLOW',
      status: 400,
      message: expect.stringMatching(/^\d+ tokens do not fit into 300\.$/),
    }
    expect(await loop.prompt('Hello')).toEqual({ kind: 'error', step: 1, failure })
    expect(errors).toHaveLength(1)
  })

  it('stops at its output limit, and leaves half a call out of the message', async () => {
    const { loop, session } = await start({ maxTokens: 6 })
    expect(await loop.prompt('Read README.md')).toEqual({ kind: 'max-tokens' })
    expect(session.deriveMessages().slice(1)).toMatchObject([
      {
        content: [
          { type: 'text', text: 'I read README.md.' },
          { type: 'text', text: '[A call of read_file was cut off at the output limit.]' },
        ],
      },
    ])
  })

  it('stops between two tokens when the signal aborts', async () => {
    const { promise, reached } = signal()
    const { loop, session, ctx } = await start({ tokenDelayMs: 1 })
    ctx.on('session/event', (_, event) => {
      if (event.type === 'assistant/chunk' && event.data.chunk.type === 'text-delta') reached()
    })
    const turn = loop.prompt('Good morning')
    await promise
    loop.abort()
    expect(await turn).toEqual({ kind: 'aborted' })
    const said = messageText(session.deriveMessages().at(-1)!)
    expect('I look around.'.startsWith(said)).toBe(true)
  })
})
