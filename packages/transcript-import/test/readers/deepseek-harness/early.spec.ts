import type { MessageId } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { field } from '../../../src/json-value.js'
import { adaptEarly } from '../../../src/readers/deepseek-harness/early.js'

const id = 'made' as MessageId
const route = { provider: 'p', model: 'm' }
const text = (value: string) => ({ type: 'text', text: value })
const adapt = (type: string, data: object) => adaptEarly(type, data as never, id, route)

describe('the early vocabulary', () => {
  it('had prompts without identity', () => {
    expect(adapt('user/message', { content: [text('a')], source: { kind: 'user', extra: 1 } })).toEqual({
      type: 'user/message',
      data: { id, role: 'user', source: { kind: 'user', extra: 1 }, content: [text('a')] },
    })
    expect(adapt('user/message', { content: [text('a')] })?.data).toMatchObject({ source: { kind: 'user' } })
  })

  it('showed context to the model in an envelope, which becomes part of the text', () => {
    expect(
      adapt('context/message', { content: [text('changed')], source: { kind: 'plugin', plugin: 'fs-watch' } }),
    ).toEqual({
      type: 'user/message',
      data: {
        id,
        role: 'user',
        source: { kind: 'plugin', plugin: 'fs-watch' },
        content: [text('<context source="fs-watch">changed</context>')],
      },
    })
  })

  it('showed steering in the same way, and it is no longer said to be a prompt', () => {
    expect(adapt('steering/message', { turn: 3, content: [text('faster')], source: { kind: 'user' } })).toEqual({
      type: 'user/message',
      data: {
        id,
        role: 'user',
        source: { kind: 'plugin', plugin: 'steering' },
        content: [text('<context source="user">faster</context>')],
      },
      left: { turn: 3, source: { kind: 'user' } },
    })
  })

  it('put the envelope around blocks of all kinds, and escaped its attribute', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AA' }
    const source = { kind: 'plugin', plugin: 'a"&b' }
    const content = (blocks: object[]) => field(adapt('context/message', { content: blocks, source })?.data, 'content')
    const open = '<context source="a&quot;&amp;b">'
    expect(content([text('a'), image, text('b')])).toEqual([text(`${open}a`), image, text('b</context>')])
    expect(content([image])).toEqual([text(open), image, text('</context>')])
    expect(content([])).toEqual([text(open), text('</context>')])
  })

  it('had answers without identity, whose route is theirs or the one in force', () => {
    const data = { turn: 1, step: 2, content: [text('a')], usage: { inputTokens: 1, outputTokens: 2 } }
    expect(adapt('assistant/message', data)).toEqual({
      type: 'assistant/message',
      data: {
        turn: 1,
        step: 2,
        message: { id, role: 'assistant', source: { kind: 'model', ...route }, content: [text('a')] },
        usage: { inputTokens: 1, outputTokens: 2 },
      },
    })
    const provenance = { provider: 'q', model: 'n' }
    expect(adapt('assistant/message', { ...data, provenance })?.data).toMatchObject({ message: { source: provenance } })
  })

  it('had results without a message', () => {
    const data = {
      turn: 1,
      step: 2,
      callId: 'c',
      content: [text('a')],
      isError: true,
      error: { name: 'E', code: 'X' },
      meta: 5,
    }
    expect(adapt('tool/result', data)).toEqual({
      type: 'tool/result',
      data: {
        turn: 1,
        step: 2,
        message: {
          id,
          role: 'user',
          source: { kind: 'tool', callId: 'c' },
          content: [{ type: 'tool-result', toolCallId: 'c', content: [text('a')], isError: true }],
        },
        error: { name: 'E', code: 'X' },
        meta: 5,
      },
    })
    expect(JSON.stringify(adapt('tool/result', { ...data, isError: false })?.data)).not.toContain('isError')
  })

  it('leaves alone what has the form of today, and what is no message', () => {
    const message = { id: 'x', role: 'user', source: { kind: 'user' }, content: [text('a')] }
    expect(adapt('user/message', message)).toBeUndefined()
    for (const type of ['steering/message', 'assistant/message', 'tool/result']) {
      expect(adapt(type, { message, content: [] })).toBeUndefined()
    }
    expect(adapt('prompt/blocked', { content: [text('a')], reason: 'no' })).toBeUndefined()
    expect(adapt('user/message', { content: 'x' })).toBeUndefined()
  })
})
