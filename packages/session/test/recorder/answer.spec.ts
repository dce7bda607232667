import { type ContentBlock, callId, messageId } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { answerPayload, assembleAttempt, blocks, resultPayload } from '../../src/recorder/answer.js'
import { assistant } from '../support/events.js'
import { expectError } from '../support/expect-error.js'
import { eventList } from '../support/fold-events.js'

const place = { turn: 1, step: 2 }
const route = { provider: 'p', model: 'm' }

describe('assembleAttempt', () => {
  it('puts the chunks together and cites them', () => {
    const chunks = [
      { type: 'text-delta', index: 0, text: 'Hel' },
      { type: 'text-delta', index: 0, text: 'lo' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
      { type: 'finish', reason: { kind: 'stop' }, replayState: { id: 7 } },
    ]
    const events = eventList(...chunks.map(chunk => ['assistant/chunk', { ...place, chunk }] as const))
    expect(assembleAttempt(events as never)).toMatchObject({
      answer: {
        content: [{ type: 'text', text: 'Hello' }],
        usage: { inputTokens: 1, outputTokens: 2 },
        replayState: { id: 7 },
      },
      sourceEventSeqs: [0, 1, 2, 3],
    })
  })

  it('makes an empty answer of an empty stream', () => {
    expect(assembleAttempt([])).toEqual({ answer: { content: [] }, sourceEventSeqs: [] })
  })
})

describe('answerPayload', () => {
  it('holds no field that is not known', () => {
    const { message, ...rest } = answerPayload(place, { content: [] }, { ...route, id: messageId('x') })
    expect(rest).toEqual(place)
    expect(message).toEqual({ id: 'x', role: 'assistant', source: { kind: 'model', ...route }, content: [] })
    expect(Object.keys(message.source)).not.toContain('replayState')
  })

  it('mints ids that differ', () => {
    const [one, two] = [0, 1].map(() => answerPayload(place, { content: [] }, route).message.id)
    expect(one).not.toBe(two)
  })

  it('refuses two calls of one id and says where', () => {
    const { content } = assistant('text', ['c0', 'c1', 'c0'])
    expect(expectError('INVALID_EVENT', () => answerPayload(place, { content }, route)).path).toBe(
      'data.message.content[3].id',
    )
  })

  it('leaves malformed blocks to the validator', () => {
    const odd = [null, 'x', { type: 'tool-call' }, { type: 'tool-call' }] as unknown as ContentBlock[]
    expect(answerPayload(place, { content: odd }, route).message.content).toBe(odd)
  })
})

describe('resultPayload', () => {
  it('wraps the content as the one result of its call', () => {
    const { message, ...rest } = resultPayload(place, callId('c'), 'out', { id: messageId('r'), meta: { rows: 1 } })
    expect(rest).toEqual({ ...place, meta: { rows: 1 } })
    expect(message).toEqual({
      id: 'r',
      role: 'user',
      source: { kind: 'tool', callId: 'c' },
      content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: 'out' }] }],
    })
  })

  it('takes a result with an internal failure for an error unless it is said not to be one', () => {
    const error = { name: 'Denied', code: 'DENIED' }
    const isError = (options: object) => resultPayload(place, callId('c'), '', options).message.content[0].isError
    expect([isError({ error }), isError({ error, isError: false }), isError({ isError: true }), isError({})]).toEqual([
      true,
      false,
      true,
      undefined,
    ])
  })
})

describe('blocks', () => {
  it('makes one text block of a string and keeps lists', () => {
    const list: ContentBlock[] = []
    expect(blocks(list)).toBe(list)
    expect(blocks('')).toEqual([{ type: 'text', text: '' }])
  })
})
