import { messageText, userMessage } from '@dsh/llm'
import { isSessionError, requestAt } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { logOf, signal, startHarness } from '../support/harness.ts'
import { answers, callChunks, cut, fails, hangs, ScriptedProvider, textChunks } from '../support/scripted-provider.ts'
import { endlessTool, toolNamed } from '../support/tools.ts'

const echo = toolNamed('echo', ({ text }) => String(text))
const write = toolNamed('write', () => 'written', true)

describe('AgentLoop', () => {
  it('runs steps until the model asks for no tool', async () => {
    const provider = new ScriptedProvider(
      answers('I look.', [{ id: 'a', name: 'echo', args: { text: 'one' } }]),
      answers('It says one.'),
    )
    const { session, loop, errors } = await startHarness({ provider, tools: [echo] })
    expect(await loop.prompt('What does it say?')).toEqual({ kind: 'completed' })
    expect(logOf(session)).toEqual([
      'turn 1 by message',
      'user: What does it say?',
      'step 1',
      'header initial',
      'assistant: I look.',
      'call a',
      'result a: one',
      'step end',
      'step 2',
      'assistant: It says one.',
      'step end',
      'turn 1 completed',
    ])
    expect(errors).toEqual([])
  })

  it('sends what the log says was sent', async () => {
    const provider = new ScriptedProvider(answers('', [{ id: 'a', name: 'echo' }]), answers('Done.'), answers('Again.'))
    const { session, loop } = await startHarness({ provider, tools: [echo] })
    await loop.prompt('one')
    await loop.prompt('two')
    const starts = [...session].filter((event, at, all) => {
      return event.type === 'assistant/chunk' && all[at - 1]?.type !== 'assistant/chunk'
    })
    const rebuilt = starts.map(({ seq }) => {
      const { header, messages } = requestAt(session, seq)
      return JSON.stringify({ header, messages })
    })
    expect(rebuilt).toEqual(provider.requests.map(request => JSON.stringify(request)))
  })

  it('claims the next prompt when the turn before was flushed', async () => {
    const provider = new ScriptedProvider(answers('one'), answers('two'))
    const { ctx, session, loop } = await startHarness({ provider, tools: [] })
    const flushed: number[] = []
    ctx.on('session/flush', async () => {
      const before = session.seq
      await Promise.resolve()
      expect(session.seq).toBe(before)
      flushed.push(session.seq)
    })
    await Promise.all([loop.prompt('first'), loop.prompt('second')])
    const ends = [...session].filter(event => event.type === 'turn/end').map(event => event.seq + 1)
    expect(ends).toHaveLength(2)
    expect(flushed).toEqual(expect.arrayContaining(ends))
  })

  it('tells of a flush that fails after a turn, and goes on', async () => {
    const provider = new ScriptedProvider(answers('one'), answers('two'))
    const { ctx, session, loop, errors } = await startHarness({ provider, tools: [] })
    ctx.on('session/flush', async () => {
      if (session.eventAt(session.seq - 1).type === 'turn/end') throw new Error('disk full')
    })
    void loop.prompt('first')
    expect(await loop.prompt('second')).toEqual({ kind: 'completed' })
    expect(errors).toEqual([new Error('disk full'), new Error('disk full')])
  })

  it('makes no model call that the log could lose', async () => {
    const provider = new ScriptedProvider(answers('one'))
    const { ctx, session, loop, errors } = await startHarness({ provider, tools: [] })
    const isFull = ctx.on('session/flush', async () => {
      throw new Error('disk full')
    })
    expect(await loop.prompt('first')).toEqual({ kind: 'error', step: 1, message: 'disk full' })
    expect(provider.requests).toEqual([])
    expect(errors).toHaveLength(2)
    isFull()
    expect(await loop.retry()).toEqual({ kind: 'completed' })
    expect(logOf(session).at(-3)).toBe('assistant: one')
  })

  it('runs no tool with effects before the call is durable', async () => {
    const order: string[] = []
    const provider = new ScriptedProvider(
      answers('', [
        { id: 'a', name: 'write' },
        { id: 'b', name: 'write' },
      ]),
      answers('Done.'),
    )
    const tool = toolNamed(
      'write',
      () => {
        order.push('runs')
        return 'written'
      },
      true,
    )
    const { ctx, session, loop } = await startHarness({ provider, tools: [tool] })
    ctx.on('session/flush', async () => void order.push(session.eventAt(session.seq - 1).type))
    await loop.prompt('write')
    expect(order).toEqual(['request/context', 'tool/call', 'runs', 'tool/call', 'runs', 'step/start', 'turn/end'])
  })

  it('takes up steering between two steps', async () => {
    const provider = new ScriptedProvider(answers('', [{ id: 'a', name: 'steer' }]), answers('Other file read.'))
    const tool = toolNamed('steer', () => {
      loop.steer('The other file!')
      return 'read'
    })
    const { session, loop } = await startHarness({ provider, tools: [tool] })
    await loop.prompt('Read the file.')
    expect(logOf(session).slice(4)).toEqual([
      'assistant: ',
      'call a',
      'result a: read',
      'step end',
      'steering: The other file!',
      'step 2',
      'assistant: Other file read.',
      'step end',
      'turn 1 completed',
    ])
  })

  it('goes on for steering that comes while the last answer streams', async () => {
    const provider = new ScriptedProvider(function* () {
      yield* textChunks('Done.')
      loop.steer('One more.')
      yield { type: 'finish', reason: { kind: 'stop' } }
    }, answers('Done that too.'))
    const { session, loop } = await startHarness({ provider, tools: [] })
    await loop.prompt('Do it.')
    expect(session.deriveMessages().map(messageText)).toEqual(['Do it.', 'Done.', 'One more.', 'Done that too.'])
  })

  it('makes a prompt of steering that no turn takes up', async () => {
    const { promise, reached } = signal()
    const provider = new ScriptedProvider(hangs(reached), answers('Then this.'), answers('Idle.'))
    const { session, loop } = await startHarness({ provider, tools: [] })
    const first = loop.prompt('Do it.')
    await promise
    loop.steer('No, this.')
    loop.abort()
    expect(await first).toEqual({ kind: 'aborted' })
    await loop.idle()
    loop.steer('And this.')
    await loop.idle()
    expect(logOf(session).filter(line => line.startsWith('user') || line.startsWith('turn'))).toEqual([
      'turn 1 by message',
      'user: Do it.',
      'turn 1 aborted',
      'turn 2 by message',
      'user: No, this.',
      'turn 2 completed',
      'turn 3 by message',
      'user: And this.',
      'turn 3 completed',
    ])
  })

  it('adds context between turns without running the model, and within a turn before its next call', async () => {
    const provider = new ScriptedProvider(answers('', [{ id: 'a', name: 'note' }]), answers('Noted.'))
    const tool = toolNamed('note', () => {
      loop.inject('ci', 'red')
      return 'ok'
    })
    const { session, loop } = await startHarness({ provider, tools: [tool] })
    loop.inject('ci', 'green')
    expect(logOf(session)).toEqual(['plugin: green'])
    await loop.prompt('Go.')
    expect(session.deriveMessages().map(messageText)).toEqual(['green', 'Go.', '', 'ok', 'red', 'Noted.'])
    expect(session.deriveMessages()[0]!.source).toEqual({ kind: 'plugin', plugin: 'ci' })
  })

  it('records context that came too late for a turn when it has ended', async () => {
    const provider = new ScriptedProvider(function* () {
      loop.inject('ci', 'red')
      yield* textChunks('Done.')
      yield { type: 'finish', reason: { kind: 'stop' } }
    })
    const { session, loop } = await startHarness({ provider, tools: [] })
    await loop.prompt('Go.')
    expect(logOf(session).slice(-2)).toEqual(['turn 1 completed', 'plugin: red'])
  })

  it('retries a request that failed for the moment within its step', async () => {
    const usage = { inputTokens: 10, outputTokens: 5 }
    const provider = new ScriptedProvider(
      fails({ status: 503, providerRetryAfterMs: 0 }, ...textChunks('Half an')),
      fails({ code: 'CONNECTION_FAILED' }),
      answers('Whole answer.', [], usage),
    )
    const { session, loop, errors } = await startHarness({ provider, tools: [] })
    expect(await loop.prompt('Go.')).toEqual({ kind: 'completed' })
    expect(session.deriveMessages().map(messageText)).toEqual(['Go.', 'Whole answer.'])
    expect(new Set(provider.requests.map(request => JSON.stringify(request))).size).toBe(1)
    const message = [...session].find(event => event.type === 'assistant/message')!
    expect(message.data).toMatchObject({ usage })
    expect(errors).toEqual([])
  })

  it.each([
    ['that nothing can mend', [{ status: 401 }]],
    ['that the provider refuses', [{ code: 'CONTENT_FILTERED' }]],
    ['too often', [{ status: 500 }, { status: 500 }, { status: 500, message: 'the last' }]],
  ])('ends the turn with the failure of a request that fails in a way %s', async (_, failures) => {
    const provider = new ScriptedProvider(...failures.map(failure => fails(failure)))
    const { session, loop, errors } = await startHarness({ provider, tools: [] })
    const failure = { message: 'it failed', code: 'HTTP_ERROR', ...failures.at(-1) }
    expect(await loop.prompt('Go.')).toEqual({ kind: 'error', step: 1, failure })
    expect(errors).toEqual([failure])
    expect(logOf(session).slice(-2)).toEqual(['step end', 'turn 1 error'])
  })

  it('goes on after an error in a turn of its own', async () => {
    const provider = new ScriptedProvider(fails({ status: 400 }), answers('Better.'))
    const { session, loop } = await startHarness({ provider, tools: [] })
    await loop.prompt('Go.')
    expect(await loop.retry()).toEqual({ kind: 'completed' })
    expect(logOf(session).slice(-5)).toEqual([
      'turn 2 by retry',
      'step 1',
      'assistant: Better.',
      'step end',
      'turn 2 completed',
    ])
  })

  it('asks the model to go on where its own words are the last ones, and has nothing to retry in an empty session', async () => {
    const provider = new ScriptedProvider(answers('Half'), answers('and half.'))
    const { session, loop } = await startHarness({ provider, tools: [] })
    expect(await loop.retry()).toBeUndefined()
    expect(session.seq).toBe(0)
    await loop.prompt('Go.')
    await loop.retry()
    expect(session.deriveMessages().map(messageText)).toEqual(['Go.', 'Half', 'Go on.', 'and half.'])
  })

  it('keeps the text that an abort has cut short', async () => {
    const { promise, reached } = signal()
    const provider = new ScriptedProvider(hangs(reached, ...textChunks('Half an')), answers('Fine.'))
    const { session, loop } = await startHarness({ provider, tools: [] })
    const turn = loop.prompt('Go.')
    await promise
    expect(loop.abort()).toBe(true)
    expect(await turn).toEqual({ kind: 'aborted' })
    expect(loop.abort()).toBe(false)
    await loop.prompt('Go on.')
    expect(session.deriveMessages().map(messageText)).toEqual(['Go.', 'Half an', 'Go on.', 'Fine.'])
  })

  it('leaves a call that an abort has cut short out of the history', async () => {
    const { promise, reached } = signal()
    const chunks = [...textChunks('I write.'), ...callChunks(1, 'a', 'write', '{"content": "half')]
    const provider = new ScriptedProvider(hangs(reached, ...chunks))
    const { session, loop } = await startHarness({ provider, tools: [write] })
    const turn = loop.prompt('Go.')
    await promise
    loop.abort()
    await turn
    expect(session.deriveMessages().map(messageText)).toEqual(['Go.'])
  })

  it('answers every call of an aborted turn', async () => {
    const { promise, reached } = signal()
    const tools = [echo, endlessTool('endless', reached), write]
    const provider = new ScriptedProvider(
      answers('', [
        { id: 'a', name: 'echo', args: { text: 'one' } },
        { id: 'b', name: 'endless' },
        { id: 'c', name: 'late' },
      ]),
    )
    const late = toolNamed('late', () => new Promise(() => {}), true)
    const { session, loop } = await startHarness({ provider, tools: [...tools, late] })
    const turn = loop.prompt('Go.')
    await promise
    await new Promise(resolve => setImmediate(resolve))
    loop.abort()
    expect(await turn).toEqual({ kind: 'aborted' })
    expect(logOf(session).filter(line => line.startsWith('result'))).toEqual([
      'result a: one',
      'result b: TOOL_OUTCOME_UNKNOWN',
      'result c: TOOL_OUTCOME_UNKNOWN',
    ])
  })

  it('starts no tool after an abort', async () => {
    const provider = new ScriptedProvider(
      answers('', [
        { id: 'a', name: 'stop' },
        { id: 'b', name: 'write' },
      ]),
    )
    const stop = toolNamed(
      'stop',
      () => {
        loop.abort()
        return 'stopped'
      },
      true,
    )
    const { session, loop } = await startHarness({ provider, tools: [stop, write] })
    expect(await loop.prompt('Go.')).toEqual({ kind: 'aborted' })
    expect(logOf(session).filter(line => /^(call|result)/.test(line))).toEqual([
      'call a',
      'result a: TOOL_OUTCOME_UNKNOWN',
      'result b: TOOL_NOT_STARTED',
    ])
  })

  it('ends a turn that was cut at the output limit as such, and runs none of its calls', async () => {
    const provider = new ScriptedProvider(
      cut(
        ...textChunks('I write'),
        ...callChunks(1, 'a', 'write', '{}'),
        ...callChunks(2, 'b', 'write', '{"path": "x'),
      ),
      answers('Fine.'),
    )
    const { session, loop } = await startHarness({ provider, tools: [write] })
    expect(await loop.prompt('Go.')).toEqual({ kind: 'max-tokens' })
    expect(logOf(session).slice(-4)).toEqual([
      'result a: ANSWER_CUT',
      'result b: ANSWER_CUT',
      'step end',
      'turn 1 max-tokens',
    ])
    expect(await loop.prompt('Go on.')).toEqual({ kind: 'completed' })
  })

  it('ends a turn as cut when it went on after the cut', async () => {
    const provider = new ScriptedProvider(function* () {
      yield* textChunks('Half')
      loop.steer('The rest!')
      yield { type: 'finish', reason: { kind: 'max-tokens' } }
    }, answers('an answer.'))
    const { loop } = await startHarness({ provider, tools: [] })
    expect(await loop.prompt('Go.')).toEqual({ kind: 'max-tokens' })
  })

  it('stops a model that never stops', async () => {
    const again = answers('', [{ id: 'a', name: 'echo' }])
    const provider = new ScriptedProvider(again, again, again)
    const { session, loop } = await startHarness({ provider, tools: [echo], limits: { steps: 2 } })
    expect(await loop.prompt('Go.')).toMatchObject({ kind: 'error', step: 2, code: 'STEP_LIMIT' })
    expect(provider.requests).toHaveLength(2)
    expect(logOf(session).slice(-2)).toEqual(['step end', 'turn 1 error'])
  })

  it('ends the turn as disposed with its plugin, and drops the queue', async () => {
    const { promise, reached } = signal()
    const provider = new ScriptedProvider(hangs(reached))
    const { ctx, session, loop } = await startHarness({ provider, tools: [] })
    const running = loop.prompt('Go.')
    const waiting = loop.prompt('And then.')
    await promise
    await ctx.fiber.dispose()
    expect(await running).toEqual({ kind: 'disposed' })
    expect(await waiting).toBeUndefined()
    expect(logOf(session).at(-1)).toBe('turn 1 disposed')
  })

  it('refuses what comes when it has ended, and is idle all the same', async () => {
    const { session, loop } = await startHarness({ provider: new ScriptedProvider(answers('one')), tools: [] })
    await loop.prompt('Go.')
    const { seq } = session
    await loop.dispose()
    const refused = { code: 'LOOP_DISPOSED', message: 'The loop on session "s" has ended and takes nothing more.' }
    await expect(loop.prompt('Too late.')).rejects.toMatchObject(refused)
    await expect(loop.retry()).rejects.toMatchObject(refused)
    expect(() => loop.steer('Too late.')).toThrow(expect.objectContaining(refused))
    expect([loop.isRunning, loop.isInTurn, session.seq]).toEqual([false, false, seq])
    await loop.idle()
    await loop.dispose()
  })

  it('is idle again, and settles the prompt, when even the report of a failure fails', async () => {
    const provider = new ScriptedProvider(answers('one'), answers('two'))
    const { ctx, session, loop } = await startHarness({ provider, tools: [] })
    const flushing = ctx.on('session/flush', async () => {
      if (session.eventAt(session.seq - 1).type === 'turn/end') throw new Error('disk full')
    })
    const reporting = ctx.on('agent/error', () => {
      throw new Error('nobody listens')
    })
    const turn = loop.prompt('first')
    await expect(loop.idle()).rejects.toThrow('nobody listens')
    expect(await turn).toEqual({ kind: 'completed' })
    expect(loop.isRunning).toBe(false)
    flushing()
    reporting()
    expect(await loop.prompt('second')).toEqual({ kind: 'completed' })
  })

  it('tells of a turn that somebody else has opened, and leaves it alone', async () => {
    const { session, loop, errors } = await startHarness({ provider: new ScriptedProvider(), tools: [] })
    session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
    session.append('user/message', userMessage('mine'), { surfaceOp: 'append' })
    expect(await loop.prompt('Go.')).toBeUndefined()
    expect(errors.map(error => isSessionError(error, 'OPEN_TURN'))).toEqual([true])
    expect(session.seq).toBe(2)
  })

  it('records the header of a request once, and the capacity of its route beside it', async () => {
    const provider = new ScriptedProvider(answers('one'), answers('two'))
    const { session, loop } = await startHarness({ provider, tools: [echo] })
    await loop.prompt('first')
    await loop.prompt('second')
    const types = [...session].map(({ type }) => type).filter(type => type.startsWith('request/'))
    expect(types).toEqual(['request/header', 'request/context'])
    expect(session.requestHeader()!.tools).toEqual([echo.schema])
    expect(session.requestContext()).toEqual({ provider: 'scripted', model: 'script', contextWindow: 1000 })
  })
})
