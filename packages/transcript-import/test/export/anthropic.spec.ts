import { anthropicRequest } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { message, sessionOf } from '../support/sessions.js'

const place = { turn: 1, step: 1 }
const append = { surfaceOp: 'append' }
const model = { kind: 'model', provider: 'p', model: 'm' }
const call = (id: string, args: string) => ({ type: 'tool-call', id, name: 'read', arguments: args })
const answer = (...content: object[]) =>
  ['assistant/message', { ...place, message: { id: 'a', role: 'assistant', source: model, content } }, append] as const
const result = (id: string, content: object[], isError?: boolean) => {
  const block = { type: 'tool-result', toolCallId: id, content, ...(isError !== undefined && { isError }) }
  return [
    'tool/result',
    { ...place, message: { id: `r${id}`, role: 'user', source: { kind: 'tool', callId: id }, content: [block] } },
    append,
  ] as const
}
const prompt = (text: string) => ['user/message', message('user', text), append] as const
const header = (more: object) =>
  ['request/header', { header: { config: { provider: 'p', model: 'm' }, ...more }, reason: 'initial' }] as const

describe('anthropicRequest', () => {
  it('puts the results of an answer into one message, and leaves the others apart', () => {
    const session = sessionOf(
      prompt('a'),
      answer({ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'b' }, call('1', '{"x": 1}'), call('2', 'bad')),
      result('1', [{ type: 'text', text: 'one' }]),
      result('2', [], true),
      prompt('c'),
      prompt('d'),
    )
    expect(anthropicRequest(session).messages).toEqual([
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: '' },
          { type: 'text', text: 'b' },
          { type: 'tool_use', id: '1', name: 'read', input: { x: 1 } },
          { type: 'tool_use', id: '2', name: 'read', input: { _unparsed: 'bad' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: 'one' },
          { type: 'tool_result', tool_use_id: '2', is_error: true },
        ],
      },
      { role: 'user', content: 'c' },
      { role: 'user', content: 'd' },
    ])
  })

  it('gives only what the provider accepts: every call answered, nothing blank', () => {
    const session = sessionOf(prompt('a'), answer(call('1', '{}')), answer({ type: 'text', text: ' ' }))
    expect(anthropicRequest(session).messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: '1', is_error: true }],
    })
  })

  it('holds the request beside the messages', () => {
    const tools = [{ name: 'f', description: 'd', parameters: { type: 'object' } }]
    const config = { provider: 'p', model: 'm', maxTokens: 5, temperature: 0, stop: ['x'], reasoningEffort: 'low' }
    expect(anthropicRequest(sessionOf(header({ config, system: 'rules', tools })))).toEqual({
      model: 'm',
      max_tokens: 5,
      temperature: 0,
      stop_sequences: ['x'],
      system: 'rules',
      tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }],
      messages: [],
    })
  })

  it('leaves out in strict form what the API would refuse', () => {
    const novel = { type: 'novel', x: 1 }
    const image = (ref: string) => ({ type: 'image', mediaType: 'image/webp', ref })
    const session = sessionOf(
      [
        'user/message',
        { ...message('user', 'a'), content: [novel, image('https://x/y.png'), image('sha256:x')] },
        append,
      ],
      answer({ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'b' }),
    )
    expect(anthropicRequest(session, { strict: true }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
          { type: 'image', source: { type: 'file', file_id: 'sha256:x' } },
        ],
      },
      { role: 'assistant', content: 'b' },
    ])
    expect(anthropicRequest(session).messages[0]!.content).toMatchObject([
      novel,
      { source: { media_type: 'image/webp' } },
      {},
    ])
  })

  it('shows the hook everything that leaves', () => {
    const session = sessionOf(
      header({ system: 'secret', tools: [{ name: 'f', description: 'secret', parameters: { x: 'secret' } }] }),
      prompt('secret'),
      answer(
        { type: 'reasoning', text: 'secret' },
        { type: 'text', text: 'a secret' },
        call('1', '{"p":"\\u0073ecret"}'),
      ),
      result('1', [{ type: 'text', text: 'secret' }]),
    )
    const redact = (text: string) => text.replaceAll('secret', '***')
    const json = JSON.stringify(anthropicRequest(session, { redact }))
    expect(json).not.toContain('secret')
    expect(json.split('***')).toHaveLength(9)
  })
})
