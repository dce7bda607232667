import { openaiRequest } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { message, sessionOf } from '../support/sessions.js'

const place = { turn: 1, step: 1 }
const append = { surfaceOp: 'append' }
const model = { kind: 'model', provider: 'p', model: 'm' }
const call = { type: 'tool-call', id: '1', name: 'read', arguments: '{ "x": 1 }' }
const answer = (...content: object[]) =>
  ['assistant/message', { ...place, message: { id: 'a', role: 'assistant', source: model, content } }, append] as const
const result = (content: object[], isError?: boolean) => {
  const block = { type: 'tool-result', toolCallId: '1', content, ...(isError !== undefined && { isError }) }
  return [
    'tool/result',
    { ...place, message: { id: 'r', role: 'user', source: { kind: 'tool', callId: '1' }, content: [block] } },
    append,
  ] as const
}
const text = (value: string) => ({ type: 'text', text: value })

describe('openaiRequest', () => {
  it('keeps text, reasoning and calls of an answer apart, arguments as the model wrote them', () => {
    const session = sessionOf(
      ['user/message', message('user', 'a'), append],
      answer({ type: 'reasoning', text: 'hm' }, text('b'), call, text('c')),
      result([text('ok')], true),
    )
    expect(openaiRequest(session).messages).toEqual([
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [text('b'), text('c')],
        reasoning_content: 'hm',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{ "x": 1 }' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'ok', is_error: true },
    ])
    expect(openaiRequest(session, { strict: true }).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [text('b'), text('c')],
        tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{ "x": 1 }' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'ok' },
    ])
  })

  it('tells several thoughts apart, and an answer without text from one with', () => {
    const thought = (value: string) => ({ type: 'reasoning', text: value })
    const session = sessionOf(answer(thought('a'), thought('b'), call), result([]))
    expect(openaiRequest(session).messages).toMatchObject([
      { content: null, reasoning_details: [{ type: 'reasoning.text', text: 'a' }, { text: 'b' }] },
      { content: [] },
    ])
    expect(openaiRequest(session, { strict: true }).messages[1]).toMatchObject({ content: '' })
  })

  it('begins with the system prompt, and holds the request beside the messages', () => {
    const tool = { name: 'f', description: 'd', parameters: {} }
    const config = { provider: 'p', model: 'm', maxTokens: 5, temperature: 0.5, stop: ['x'], reasoningEffort: 'low' }
    const session = sessionOf([
      'request/header',
      { header: { config, system: 'rules', tools: [tool] }, reason: 'initial' },
    ])
    expect(openaiRequest(session)).toEqual({
      model: 'm',
      max_tokens: 5,
      temperature: 0.5,
      stop: ['x'],
      reasoning_effort: 'low',
      tools: [{ type: 'function', function: tool }],
      messages: [{ role: 'system', content: 'rules' }],
    })
  })

  it('gives images as URLs', () => {
    const images = [
      { type: 'image', mediaType: 'image/png', data: 'AA' },
      { type: 'image', mediaType: 'image/png', ref: 'https://x/y.png' },
      { type: 'image', mediaType: 'image/webp', ref: 'sha256:x' },
    ]
    const session = sessionOf(['user/message', { ...message('user', 'a'), content: images }, append])
    expect(openaiRequest(session).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
          { type: 'image_url', image_url: { url: 'sha256:x', media_type: 'image/webp' } },
        ],
      },
    ])
  })
})
