import type { MessageId } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { adaptEvent } from '../../../src/readers/deepseek-harness/adapt.js'

const context = {
  id: 'made' as MessageId,
  route: { provider: 'p', model: 'm' },
  lastStep: 4,
  trigger: { kind: 'unrecorded' },
}
const adapt = (type: string, data: unknown) => adaptEvent({ type, data: data as never }, context)

describe('adaptEvent', () => {
  it('gives a turn a trigger where it has none', () => {
    expect(adapt('turn/start', { turn: 1 }).data).toEqual({ turn: 1, trigger: { kind: 'unrecorded' } })
    expect(adapt('turn/start', { turn: 1, trigger: { kind: 'retry' } }).data).toEqual({
      turn: 1,
      trigger: { kind: 'retry' },
    })
  })

  it('keeps the coarse outcome of an aborted turn, and says the reason beside it', () => {
    const end = (reason: object) => adapt('turn/end', { turn: 1, reason })
    expect(end({ kind: 'aborted' })).toEqual({ type: 'turn/end', data: { turn: 1, reason: { kind: 'aborted' } } })
    expect(end({ kind: 'aborted', reason: 'user pressed stop' })).toMatchObject({
      data: { reason: { kind: 'aborted' } },
      note: { about: 'aborted', text: 'user pressed stop' },
    })
    expect(end({ kind: 'aborted', reason: { kind: 'user' } }).note).toEqual({
      about: 'aborted',
      text: 'user',
      details: { reason: { kind: 'user' } },
    })
  })

  it('unfolds the error of a failed turn', () => {
    const end = (reason: object) => adapt('turn/end', { turn: 1, reason })
    expect(end({ kind: 'error', error: { message: 'no', code: 'X', extra: 1 } })).toEqual({
      type: 'turn/end',
      data: { turn: 1, reason: { kind: 'error', step: 4, message: 'no', code: 'X' } },
      left: { extra: 1 },
    })
    expect(end({ kind: 'error', step: 2, message: 'no' }).data).toEqual({
      turn: 1,
      reason: { kind: 'error', step: 2, message: 'no' },
    })
  })

  it('leaves other ends as they are, those of plugins too', () => {
    for (const reason of [{ kind: 'rejected', reason: 'hook' }, { kind: 'interrupted' }, { kind: 'novel', x: 1 }]) {
      expect(adapt('turn/end', { turn: 1, reason })).toEqual({ type: 'turn/end', data: { turn: 1, reason } })
    }
  })

  it('counts reasoning apart from the output', () => {
    const usage = { inputTokens: 3, outputTokens: 25, reasoningTokens: 23, cacheReadTokens: 5 }
    const counted = { ...usage, outputTokens: 2 }
    const message = { id: 'x', role: 'assistant', source: { kind: 'model', provider: 'p', model: 'm' }, content: [] }
    expect(adapt('assistant/message', { turn: 1, step: 1, message, usage }).data).toMatchObject({ usage: counted })
    expect(adapt('assistant/message', { turn: 1, step: 1, content: [], usage }).data).toMatchObject({ usage: counted })
    expect(adapt('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'usage', usage } }).data).toMatchObject({
      chunk: { usage: counted },
    })
    const chunk = { type: 'text-delta', index: 0, text: 'a' }
    expect(adapt('assistant/chunk', { turn: 1, step: 1, chunk }).data).toEqual({ turn: 1, step: 1, chunk })
  })

  it('leaves a tool list out of a header that is none', () => {
    const header = { config: { provider: 'p', model: 'm' }, tools: '{{tools}}' }
    expect(adapt('request/header', { header, reason: 'initial' })).toEqual({
      type: 'request/header',
      data: { header: { config: header.config }, reason: 'initial' },
      left: { header: { tools: '{{tools}}' } },
    })
  })

  it('leaves events alone that neither document knows', () => {
    for (const [type, data] of [
      ['plan/mode', { mode: 'x' }],
      ['prompt/blocked', { content: [], reason: 'no' }],
      ['a/b', null],
    ] as const) {
      expect(adapt(type, data)).toEqual({ type, data })
    }
  })
})
