import type { SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { endAttempt, endStep, merged, noStep, readUsage, takeChunk, takeMessage } from '../../src/folds/step-usage.js'
import { assistant } from '../support/events.js'

const usage = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens })
const chunk = (seq: number, data: unknown) =>
  ({
    type: 'assistant/chunk',
    seq,
    time: 0,
    data: { turn: 1, step: 1, chunk: data },
  }) as SessionEvent<'assistant/chunk'>
const message = (seq: number, sourceEventSeqs?: number[], reported?: unknown) =>
  ({
    type: 'assistant/message',
    seq,
    time: 0,
    surfaceOp: 'append',
    ...(sourceEventSeqs && { sourceEventSeqs }),
    data: { turn: 1, step: 1, message: assistant('x'), ...(reported !== undefined && { usage: reported }) },
  }) as SessionEvent<'assistant/message'>

/** Feeds chunks and messages to a step and gives the calls that it amounts to. */
function calls(...events: (SessionEvent<'assistant/chunk'> | SessionEvent<'assistant/message'>)[]) {
  let step = noStep
  const ended = []
  for (const event of events) {
    const change = event.type === 'assistant/chunk' ? takeChunk(step, event) : takeMessage(step, event)
    step = change.step
    ended.push(...change.ended)
  }
  return [...ended, ...endStep(step).ended].map(call => call.usage)
}

describe('the usage of a step', () => {
  it('is nothing when nothing was reported', () => {
    expect(calls()).toEqual([])
    expect(calls(chunk(0, { type: 'finish', reason: { kind: 'stop' } }), message(1, [0]))).toEqual([])
  })

  it('takes later reports of one call for what it has consumed so far', () => {
    const reports = [chunk(0, { type: 'usage', usage: usage(10, 1) }), chunk(1, { type: 'usage', usage: usage(10, 7) })]
    expect(calls(...reports, message(2, [0, 1]))).toEqual([usage(10, 7)])
    expect(calls(...reports)).toEqual([usage(10, 7)])
  })

  it('puts counts together that a provider reports one by one', () => {
    const input = chunk(0, { type: 'usage', usage: { inputTokens: 10, outputTokens: 0, cacheReadTokens: 4 } })
    const output = chunk(1, { type: 'usage', usage: { inputTokens: 0, outputTokens: 7, reasoningTokens: 2 } })
    expect(calls(input, output)).toEqual([{ ...usage(10, 7), cacheReadTokens: 4, reasoningTokens: 2 }])
  })

  it.each([
    ['a failed finish', { type: 'finish', reason: { kind: 'error', failure: { message: '', code: '' } } }],
    ['an aborted finish', { type: 'finish', reason: { kind: 'aborted' } }],
    ['a block that starts again', { type: 'block-start', index: 0, blockType: 'text' }],
  ])('counts an attempt that ends with %s for itself', (_, end) => {
    const start = { type: 'block-start', index: 0, blockType: 'text' }
    const report = (seq: number) => chunk(seq, { type: 'usage', usage: usage(10, seq) })
    expect(calls(chunk(0, start), report(1), chunk(2, end), report(3), message(4, [3]))).toEqual([
      usage(10, 1),
      usage(10, 3),
    ])
  })

  it('counts a report that the message leaves out for an attempt of its own', () => {
    const reports = [chunk(0, { type: 'usage', usage: usage(10, 1) }), chunk(1, { type: 'usage', usage: usage(10, 7) })]
    expect(calls(...reports, message(2, [1]))).toEqual([usage(10, 1), usage(10, 7)])
  })

  it('takes a report behind a successful finish for the same call', () => {
    const finish = chunk(1, { type: 'finish', reason: { kind: 'stop' } })
    const [early, late] = [0, 2].map(seq => chunk(seq, { type: 'usage', usage: usage(10, seq) }))
    expect(calls(early!, finish, late!, message(3, [0, 1, 2]))).toEqual([usage(10, 2)])
    expect(calls(message(0, []), finish, late!)).toEqual([usage(10, 2)])
  })

  it('falls back to the usage of the message when no chunk reported any', () => {
    expect(calls(message(0, [], usage(3, 4)))).toEqual([usage(3, 4)])
    const report = chunk(0, { type: 'usage', usage: usage(10, 1) })
    expect(calls(report, message(1, [0], usage(99)))).toEqual([usage(10, 1)])
    expect(calls(report, message(1, undefined, usage(99)))).toEqual([usage(10, 1)])
  })

  it('does not count a partial answer twice that cites the chunks of a failed attempt', () => {
    const failed = chunk(1, { type: 'finish', reason: { kind: 'aborted' } })
    const report = chunk(0, { type: 'usage', usage: usage(10, 1) })
    expect(calls(report, failed, message(2, [0, 1], usage(10, 1)))).toEqual([usage(10, 1)])
  })

  it('counts the usage of a message after a failed attempt that reported its own', () => {
    const failed = chunk(1, { type: 'finish', reason: { kind: 'aborted' } })
    const report = chunk(0, { type: 'usage', usage: usage(10, 1) })
    expect(calls(report, failed, message(2, [], usage(3, 4)))).toEqual([usage(10, 1), usage(3, 4)])
  })

  it.each([null, 'x', {}, { type: 'usage' }, { type: 'usage', usage: 'many' }, { type: 'finish' }, { type: 'new' }])(
    'passes over a chunk of %j',
    data => {
      expect(calls(chunk(0, data), chunk(1, { type: 'usage', usage: usage(1) }))).toEqual([usage(1)])
    },
  )

  it('belongs to the seq of its first report', () => {
    const { step } = takeChunk(noStep, chunk(5, { type: 'usage', usage: usage(1) }))
    expect(merged(takeChunk(step, chunk(9, { type: 'usage', usage: usage(2) })).step.call)[0]?.seq).toBe(5)
    expect(endAttempt(step).ended[0]?.seq).toBe(5)
  })
})

describe('readUsage', () => {
  it('leaves out what is not a count', () => {
    const odd = { inputTokens: 'x', outputTokens: 5, cacheReadTokens: -1, reasoningTokens: null, other: 7 }
    expect(readUsage(odd)).toEqual(usage(0, 5))
    for (const value of [null, 'x', 7, [], {}, { inputTokens: -1 }]) expect(readUsage(value)).toBeUndefined()
  })
})
