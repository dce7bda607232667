import { contextFill, oldestRange } from '@dsh/compaction'
import { messageText } from '@dsh/llm'
import { sessionTokenTotals } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { summaryRequest } from '../../src/agent/compaction.ts'
import { logOf, signal, startHarness } from '../support/harness.ts'
import { answers, fails, hangs, ScriptedProvider } from '../support/scripted-provider.ts'
import { toolNamed } from '../support/tools.ts'

const nearlyFull = { inputTokens: 800, outputTokens: 100 }
const roomy = { inputTokens: 100, outputTokens: 10 }

describe('compaction', () => {
  it('summarises the history before the turn when the context is nearly full', async () => {
    const provider = new ScriptedProvider(
      answers('one', [], nearlyFull),
      answers('They said one.', [], roomy),
      answers('two', [], roomy),
      answers('three', [], roomy),
    )
    const { session, loop, errors } = await startHarness({ provider, tools: [] })
    await loop.prompt('first')
    expect(contextFill(session)).toBeCloseTo(0.9)
    await loop.prompt('second')
    await loop.prompt('third')
    expect(session.deriveMessages().map(messageText)).toEqual(['They said one.', 'second', 'two', 'third', 'three'])
    expect(session.surface.replaceGeneration).toBe(1)
    expect(sessionTokenTotals(session).calls).toBe(4)
    expect(errors).toEqual([])
  })

  it('asks for the summary with a request that the log can rebuild', async () => {
    const provider = new ScriptedProvider(answers('one', [], nearlyFull), answers('Summary.'), answers('two'))
    const { session, loop } = await startHarness({ provider, tools: [toolNamed('echo', () => '')] })
    await loop.prompt('first')
    await loop.prompt('second')
    const start = [...session].find(event => event.type === 'compact/start')!
    const view = session.at(start.seq)
    const request = summaryRequest(view, oldestRange(view, { keepLast: 1 })!)
    expect(JSON.stringify(request)).toBe(JSON.stringify(provider.requests[1]))
    expect(request.header.tools).toBeUndefined()
  })

  it('summarises the beginning of a long turn, and parts no call from its result', async () => {
    const call = (id: string, usage = roomy) => answers(`step ${id}`, [{ id, name: 'echo' }], usage)
    const provider = new ScriptedProvider(
      call('a'),
      call('b'),
      call('c', nearlyFull),
      answers('So far.'),
      answers('Done.'),
    )
    const { session, loop } = await startHarness({ provider, tools: [toolNamed('echo', () => 'result')] })
    await loop.prompt('Do it.')
    expect(session.deriveMessages().map(messageText)).toEqual([
      'So far.',
      'step b',
      'result',
      'step c',
      'result',
      'Done.',
    ])
  })

  it.each([
    ['the provider fails', fails({ status: 500, message: 'no' })],
    ['the summary says nothing', answers(' ')],
  ])('tells of it and goes on with the whole history when %s', async (_, summary) => {
    const provider = new ScriptedProvider(answers('one', [], nearlyFull), summary, answers('two', [], roomy))
    const { session, loop, errors } = await startHarness({ provider, tools: [] })
    await loop.prompt('first')
    expect(await loop.prompt('second')).toEqual({ kind: 'completed' })
    expect(errors).toHaveLength(1)
    expect(session.deriveMessages().map(messageText)).toEqual(['first', 'one', 'second', 'two'])
  })

  it('is aborted with the turn, and changes nothing then', async () => {
    const { promise, reached } = signal()
    const provider = new ScriptedProvider(answers('one', [], nearlyFull), hangs(reached))
    const { session, loop, errors } = await startHarness({ provider, tools: [] })
    await loop.prompt('first')
    const turn = loop.prompt('second')
    await promise
    loop.abort()
    expect(await turn).toEqual({ kind: 'aborted' })
    expect(session.deriveMessages().map(messageText)).toEqual(['first', 'one', 'second'])
    expect(logOf(session).at(-1)).toBe('turn 2 aborted')
    expect(errors).toEqual([])
  })

  it('summarises everything when somebody asks for it between turns', async () => {
    const provider = new ScriptedProvider(answers('one', [], roomy), answers('All of it.'))
    const { ctx, session, loop } = await startHarness({ provider, tools: [] })
    const { signal: never } = new AbortController()
    expect(await ctx.agent.compact(session, never)).toBe(false)
    await loop.prompt('first')
    expect(await ctx.agent.compact(session, never)).toBe(true)
    expect(session.deriveMessages().map(messageText)).toEqual(['All of it.'])
  })
})
