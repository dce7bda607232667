import { callId, type LlmFailure, messageId, type StreamChunk } from '@dsh/llm'
import { recordTurn, Session, type StepRecorder, type TurnRecorder } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { assistant } from '../support/events.js'
import { expectError } from '../support/expect-error.js'

const header = { config: { provider: 'p', model: 'm' }, system: 'be brief' }
const context = { provider: 'p', model: 'm', contextWindow: 1000 }
const failure: LlmFailure = { message: 'overloaded', code: 'E529', status: 529 }
const text = (value: string): StreamChunk => ({ type: 'text-delta', index: 0, text: value })
const finish = (kind: 'stop' | 'aborted' | 'max-tokens'): StreamChunk => ({ type: 'finish', reason: { kind } })
const [a, b] = ['a', 'b'].map(id => callId(id))

function begin(session = new Session('s')): { session: Session; turn: TurnRecorder; step: StepRecorder } {
  const turn = recordTurn(session)
  const step = turn.step()
  step.header(header)
  return { session, turn, step }
}

/** A step whose answer makes the calls `a` and `b`. */
function calling() {
  const recording = begin()
  recording.step.message(assistant('', ['a', 'b']).content)
  return recording
}

/** Expects a refusal that leaves the log as it is. */
function refused(session: Session, action: () => unknown): void {
  const { seq } = session
  expectError('RECORDER_STATE', action)
  expect(session.seq).toBe(seq)
}

describe('the header of a step', () => {
  it('is recorded once, and again only when it changes', () => {
    const { session, turn, step } = begin()
    expect(session.eventAt(2).data).toEqual({ header, reason: 'initial' })
    expect(step.header({ ...header })).toBeUndefined()
    step.end()
    const next = turn.step()
    expect(next.header(header)).toBeUndefined()
    expect(next.header({ ...header, system: 'be long' })?.data.reason).toBe('change')
  })

  it('is recorded as resumed by the first step of another process, though it has not changed', () => {
    const { session, turn, step } = begin()
    step.end()
    turn.close()
    const resumed = recordTurn(new Session('s', session.events)).step()
    expect(resumed.header(header)?.data).toEqual({ header, reason: 'resume' })
    expect(resumed.header(header)).toBeUndefined()
  })

  it('enters the log in canonical form, without fields that are undefined', () => {
    const step = recordTurn(new Session('s')).step()
    const config = { ...header.config, temperature: undefined }
    expect(step.header({ config, system: '', tools: [] })?.data.header).toEqual({ config: header.config })
  })

  it('comes before the request: not behind chunks or the answer, but before another attempt', () => {
    const { session, step } = begin()
    step.chunk(text('x'))
    refused(session, () => step.header(header))
    step.retry(failure)
    expect(step.header({ config: { provider: 'q', model: 'n' } })?.data.reason).toBe('change')
    step.finish()
    refused(session, () => step.header(header))
  })
})

describe('the context of a step', () => {
  it('is recorded behind the header, where it changed', () => {
    const { session, turn, step } = begin()
    expect(step.context(context)?.data).toEqual(context)
    expect(step.context({ ...context })).toBeUndefined()
    step.end()
    const next = turn.step()
    next.header({ config: { provider: 'p', model: 'other' } })
    expect(next.context(context)).toBeUndefined()
    expect(next.context({ ...context, model: 'other' })?.seq).toBe(session.seq - 1)
  })

  it('is refused before the header of its step', () => {
    const { session, turn, step } = begin()
    step.end()
    const next = turn.step()
    refused(session, () => next.context(context))
    next.header(header)
    next.chunk(text('x'))
    refused(session, () => next.context(context))
  })

  it('waits for the next header when it changes under one that did not', () => {
    const { turn, step } = begin()
    step.context(context)
    step.end()
    const wider = { ...context, contextWindow: 2000 }
    const second = turn.step()
    second.header(header)
    expect(second.context(wider)).toBeUndefined()
    second.end()
    const third = turn.step()
    third.header({ ...header, system: 'new' })
    expect(third.context(wider)?.data).toEqual(wider)
  })
})

describe('an answer that streams', () => {
  it('is the assembly of its chunks and cites them, whatever others append in between', () => {
    const { session, step } = begin()
    const first = step.chunk(text('Hel'))
    session.append('todo/write', { todos: [] })
    const second = step.chunk(text('lo'))
    const usage = step.chunk({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } })
    const last = step.chunk({ type: 'finish', reason: { kind: 'stop' }, replayState: 7 })
    const { data, sourceEventSeqs } = step.finish()
    expect(sourceEventSeqs).toEqual([first, second, usage, last].map(event => event.seq))
    expect(data.message.content).toEqual([{ type: 'text', text: 'Hello' }])
    expect(data.message.source).toEqual({ kind: 'model', provider: 'p', model: 'm', replayState: 7 })
    expect(data.usage).toEqual({ inputTokens: 1, outputTokens: 2 })
  })

  it('leaves chunks out that name another step', () => {
    const { session, step } = begin()
    session.append('assistant/chunk', { turn: 1, step: 9, chunk: text('stray') })
    session.append('assistant/chunk', { turn: 9, step: 1, chunk: text('stray') })
    const { seq } = step.chunk(text('own'))
    expect(step.finish().sourceEventSeqs).toEqual([seq])
  })

  it('is known to be empty when nothing came', () => {
    const { session, step } = begin()
    const { data, sourceEventSeqs } = step.finish()
    expect(sourceEventSeqs).toEqual([])
    expect(data.message.content).toEqual([])
    expect(session.deriveMessages()).toEqual([])
  })

  it('can be cut short', () => {
    const { step } = begin()
    step.chunk(text('half an ans'))
    expect(step.finish().data.message.content).toEqual([{ type: 'text', text: 'half an ans' }])
  })

  it('cites no chunk of an attempt that was given up', () => {
    const { session, step } = begin()
    step.chunk(text('first'))
    step.retry(failure)
    const failed = session.eventAt(session.seq - 1)
    expect(failed.data).toMatchObject({ chunk: { type: 'finish', reason: { kind: 'error', failure } } })
    const chunk = step.chunk(text('second'))
    const { data, sourceEventSeqs } = step.finish()
    expect(sourceEventSeqs).toEqual([chunk.seq])
    expect(data.message.content).toEqual([{ type: 'text', text: 'second' }])
  })

  it('marks the end of a given up attempt only where the stream has not', () => {
    const { session, step } = begin()
    step.chunk(text('x'))
    step.chunk(finish('aborted'))
    const { seq } = session
    step.retry()
    expect(session.seq).toBe(seq)
    step.chunk(text('y'))
    step.retry()
    expect(session.eventAt(seq + 1).data).toMatchObject({ chunk: finish('aborted') })
  })

  it('takes no chunk of another attempt before the failed one is given up, except its usage', () => {
    const { session, step } = begin()
    step.chunk(finish('aborted'))
    refused(session, () => step.chunk(text('x')))
    step.chunk({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } })
    step.retry()
    step.chunk(text('x'))
  })

  it('has the route of the header in force unless it says another', () => {
    const { turn, step } = begin()
    const other = { provider: 'q', model: 'n', id: messageId('mine') }
    expect(step.finish(other).data.message).toMatchObject({ id: 'mine', source: { provider: 'q', model: 'n' } })
    step.end()
    expect(turn.step().finish({ model: 'n' }).data.message.source).toMatchObject({ provider: 'p', model: 'n' })
  })

  it('needs a route', () => {
    const session = new Session('s')
    const step = recordTurn(session).step()
    step.chunk(text('x'))
    refused(session, () => step.finish())
    refused(session, () => step.finish({ model: 'm' }))
    expect(step.finish({ provider: 'p', model: 'm' }).data.message.source).toMatchObject({ provider: 'p' })
  })

  it('is refused with two calls of one id, and the attempt can be given up', () => {
    const { session, step } = begin()
    for (const index of [0, 1]) step.chunk({ type: 'tool-call-delta', index, id: a!, name: 'ls', argumentsDelta: '' })
    const { seq } = session
    expectError('INVALID_EVENT', () => step.finish())
    expect(session.seq).toBe(seq)
    step.retry()
    step.finish()
  })

  it('is one in a step', () => {
    const { session, step } = begin()
    step.finish()
    refused(session, () => step.finish())
    refused(session, () => step.message('again'))
    refused(session, () => step.chunk(text('late')))
    refused(session, () => step.retry())
  })
})

describe('an answer that does not stream', () => {
  it('leaves its provenance unrecorded', () => {
    const { step } = begin()
    const event = step.message('Hello', { usage: { inputTokens: 1, outputTokens: 2 }, replayState: null })
    expect(event).not.toHaveProperty('sourceEventSeqs')
    expect(event.data).toMatchObject({
      message: { content: [{ type: 'text', text: 'Hello' }], source: { replayState: null } },
      usage: { inputTokens: 1, outputTokens: 2 },
    })
  })

  it('is refused behind chunks, until they are given up', () => {
    const { session, step } = begin()
    step.chunk(text('x'))
    refused(session, () => step.message('y'))
    step.retry()
    step.message('y')
  })

  it('cuts the turn when it reached its output limit', () => {
    const { turn, step } = begin()
    step.message('Hello', { finish: { kind: 'max-tokens' } })
    step.end()
    expect(turn.close().data.reason).toEqual({ kind: 'max-tokens' })
  })

  it('names the path of what is not JSON', () => {
    const { session, step } = begin()
    const { seq } = session
    const error = expectError('NOT_JSON', () => step.message([{ type: 'text', text: 7n as never }]))
    expect(error.path).toBe('data.message.content[0].text')
    expect(session.seq).toBe(seq)
    step.message('Hello')
  })
})

describe('the calls of a step', () => {
  it('are started with the name and arguments of their block, once', () => {
    const { session, step } = calling()
    expect(step.call(b!).data).toEqual({ turn: 1, step: 1, callId: b, name: 'tool', arguments: '{}' })
    refused(session, () => step.call(b!))
    expect(step.openCalls.map(call => [call.callId, call.callSeq !== undefined])).toEqual([
      [a, false],
      [b, true],
    ])
  })

  it('are answered in any order, each once, citing their start', () => {
    const { session, step } = calling()
    step.call(a!)
    const { seq } = step.call(b!)
    expect(step.result(b!, 'out').sourceEventSeqs).toEqual([seq])
    refused(session, () => step.result(b!, 'again'))
    refused(session, () => step.call(b!))
    step.result(a!, [{ type: 'text', text: 'out' }])
    expect(step.openCalls).toEqual([])
  })

  it('have only an error for an answer when they were never started', () => {
    const { session, step } = calling()
    refused(session, () => step.result(a!, 'out'))
    refused(session, () => step.result(a!, 'out', { isError: false }))
    const event = step.result(a!, 'not allowed', { error: { name: 'Denied', code: 'DENIED' } })
    expect(event).not.toHaveProperty('sourceEventSeqs')
    expect(event.data.message.content[0].isError).toBe(true)
    step.result(b!, 'no', { isError: true })
  })

  it('are those that its answer makes', () => {
    const { session, step } = begin()
    refused(session, () => step.call(a!))
    refused(session, () => step.result(a!, 'out', { isError: true }))
  })

  it('can be answered again by a result that the log refused', () => {
    const { step } = calling()
    step.call(a!)
    expectError('NOT_JSON', () => step.result(a!, 'out', { meta: (() => 0) as never }))
    step.result(a!, 'out', { meta: { rows: [1] } })
  })
})

describe('the end of a step', () => {
  it('comes when every call is answered', () => {
    const { session, step } = calling()
    step.result(a!, 'no', { isError: true })
    refused(session, () => step.end())
    step.result(b!, 'no', { isError: true })
    step.end()
  })

  it('comes when the answer is finished or given up', () => {
    const { session, step } = begin()
    step.chunk(text('x'))
    refused(session, () => step.end())
    step.retry(failure)
    step.end()
  })

  it('leaves nothing that the step could record', () => {
    const { session, turn, step } = begin()
    step.end()
    const later = turn.step()
    for (const action of [
      () => step.end(),
      () => step.header(header),
      () => step.context(context),
      () => step.chunk(text('x')),
      () => step.retry(),
      () => step.finish(),
      () => step.message('x'),
      () => step.call(a!),
      () => step.result(a!, 'x'),
      () => step.openCalls,
    ]) {
      refused(session, action)
    }
    later.end()
  })
})
