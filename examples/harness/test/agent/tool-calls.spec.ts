import { describe, expect, it } from 'vitest'
import { type Tool, ToolError } from '../../src/tools/tool.ts'
import { logOf, signal, startHarness } from '../support/harness.ts'
import { answers, callChunks, type ScriptedCall, ScriptedProvider } from '../support/scripted-provider.ts'
import { endlessTool, toolNamed } from '../support/tools.ts'

/** Runs the calls of one answer and returns what the log says of them. */
async function run(tools: readonly Tool[], calls: readonly ScriptedCall[], limits = {}) {
  const provider = new ScriptedProvider(answers('', calls), answers('Done.'))
  const { session, loop } = await startHarness({ provider, tools, limits })
  expect(await loop.prompt('Go.')).toEqual({ kind: 'completed' })
  const results = [...session].filter(event => event.type === 'tool/result').map(event => event.data)
  return { lines: logOf(session).filter(line => /^(call|result)/.test(line)), results }
}

describe('runCalls', () => {
  it('runs calls without effects at the same time, and records results as they come', async () => {
    const first = signal()
    const second = signal()
    const a = toolNamed('a', async () => {
      first.reached()
      await second.promise
      return 'slow'
    })
    const b = toolNamed('b', async () => {
      await first.promise
      setImmediate(second.reached)
      return 'fast'
    })
    const { lines } = await run(
      [a, b],
      [
        { id: '1', name: 'a' },
        { id: '2', name: 'b' },
      ],
    )
    expect(lines).toEqual(['call 1', 'call 2', 'result 2: fast', 'result 1: slow'])
  })

  it('runs calls with effects one after another, beside those without', async () => {
    const order: string[] = []
    const write = toolNamed(
      'write',
      async ({ name }) => {
        order.push(`${name} begins`)
        await new Promise(resolve => setImmediate(resolve))
        order.push(`${name} ends`)
        return 'written'
      },
      true,
    )
    const read = toolNamed('read', () => {
      order.push('read')
      return 'read'
    })
    await run(
      [write, read],
      [
        { id: '1', name: 'write', args: { name: 'first' } },
        { id: '2', name: 'write', args: { name: 'second' } },
        { id: '3', name: 'read' },
      ],
    )
    expect(order.filter(entry => entry !== 'read')).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
    ])
    expect(order.indexOf('read')).toBeLessThan(order.indexOf('second begins'))
  })

  it('aborts the one of several calls that takes too long, and keeps the others', async () => {
    const quick = toolNamed('quick', () => 'done')
    const { lines, results } = await run(
      [quick, endlessTool('endless')],
      [
        { id: '1', name: 'quick' },
        { id: '2', name: 'endless' },
        { id: '3', name: 'quick' },
      ],
      { toolMs: 5 },
    )
    expect(lines.slice(3)).toEqual(['result 1: done', 'result 3: done', 'result 2: TOOL_TIMEOUT'])
    expect(results.at(-1)!.message.content[0]).toMatchObject({ isError: true })
  })

  it('gives up a call of a tool that looks at no signal', async () => {
    const deaf = toolNamed('deaf', () => new Promise(() => {}))
    expect((await run([deaf], [{ id: '1', name: 'deaf' }], { toolMs: 5 })).lines).toEqual([
      'call 1',
      'result 1: TOOL_TIMEOUT',
    ])
  })

  it.each([
    ['a tool error', new ToolError('NOT_THERE', 'It is not there.'), 'NOT_THERE', 'It is not there.'],
    ['an error with a code', Object.assign(new Error('no'), { code: 'EACCES' }), 'EACCES', 'no'],
    ['an error without one', new RangeError('far'), 'TOOL_FAILED', 'far'],
    ['an error without a message', new RangeError(), 'TOOL_FAILED', 'RangeError'],
    ['anything else', 'a string', 'TOOL_FAILED', 'a string'],
  ])('answers with what a tool throws: %s', async (_, thrown, code, text) => {
    const broken = toolNamed('broken', () => {
      throw thrown
    })
    const { results } = await run([broken], [{ id: '1', name: 'broken' }])
    expect(results[0]!.error!.code).toBe(code)
    expect(results[0]!.message.content[0]).toMatchObject({ isError: true, content: [{ type: 'text', text }] })
  })

  it('answers a call of a tool that is not there, without starting it', async () => {
    expect((await run([], [{ id: '1', name: 'nope' }])).lines).toEqual(['result 1: UNKNOWN_TOOL'])
  })

  it.each(['[1]', 'null', '"text"', '{"half', '}{'])('answers a call whose arguments are %s', async args => {
    const provider = new ScriptedProvider(
      () => [...callChunks(0, '1', 'echo', args), { type: 'finish', reason: { kind: 'tool-calls' } }],
      answers('Done.'),
    )
    const { session, loop } = await startHarness({ provider, tools: [toolNamed('echo', () => 'run')] })
    await loop.prompt('Go.')
    expect(logOf(session).filter(line => /^(call|result)/.test(line))).toEqual(['result 1: INVALID_ARGUMENTS'])
  })

  it('takes a call without arguments for one with none', async () => {
    const provider = new ScriptedProvider(
      () => [...callChunks(0, '1', 'echo', ''), { type: 'finish', reason: { kind: 'tool-calls' } }],
      answers('Done.'),
    )
    const { session, loop } = await startHarness({ provider, tools: [toolNamed('echo', args => JSON.stringify(args))] })
    await loop.prompt('Go.')
    expect(logOf(session)).toContain('result 1: {}')
  })

  it('bounds what a tool answers', async () => {
    const long = toolNamed('long', () => `${'x'.repeat(50_000)}end`)
    const { results } = await run([long], [{ id: '1', name: 'long' }])
    const [block] = results[0]!.message.content[0].content
    expect(block).toMatchObject({ text: expect.stringMatching(/^x+\n… \d+ characters left out …\nx+end$/) })
    expect(JSON.stringify(block).length).toBeLessThan(20_000)
  })
})
