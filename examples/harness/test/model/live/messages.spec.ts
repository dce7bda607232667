import { assistantMessage, callId, toolResultMessage, userMessage } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { modelMessages } from '../../../src/model/live/messages.ts'

const route = { provider: 'anthropic', model: 'm' }
const call = (id: string, args = '{}') =>
  ({ type: 'tool-call', id: callId(id), name: `tool-${id}`, arguments: args }) as const

describe('modelMessages', () => {
  it('puts the results of one answer into one message, with the names of their tools', () => {
    const messages = [
      userMessage('Go.'),
      assistantMessage([{ type: 'text', text: 'I do.' }, call('a', '{"x":1}'), call('b')], route),
      toolResultMessage(callId('a'), 'fine'),
      toolResultMessage(callId('b'), 'broken', { isError: true }),
      userMessage('And now?'),
    ]
    expect(modelMessages(messages, route)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I do.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'tool-a', input: { x: 1 } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'tool-b', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'tool-a', output: { type: 'text', value: 'fine' } },
          { type: 'tool-result', toolCallId: 'b', toolName: 'tool-b', output: { type: 'error-text', value: 'broken' } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
    ])
  })

  it('wraps arguments that are no object, since providers take nothing else', () => {
    const [message] = modelMessages(
      [assistantMessage([call('a', '{"half'), call('b', '[1]'), call('c', '')], route)],
      route,
    )
    expect(message!.content).toMatchObject([
      { input: { invalid_arguments: '{"half' } },
      { input: { invalid_arguments: '[1]' } },
      { input: {} },
    ])
  })

  it('hands images over, and names those that lie elsewhere', () => {
    const message = userMessage([
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'image', mediaType: 'image/png', ref: 'img-1' },
    ])
    expect(modelMessages([message], route)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', data: 'AAAA', mediaType: 'image/png' },
          { type: 'text', text: '[image img-1]' },
        ],
      },
    ])
  })

  it('gives reasoning and what belongs to it back to the route that it came from, and to no other', () => {
    const signature = { anthropic: { signature: 's' } }
    const replayState = { metadata: [signature, null] }
    const content = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ] as const
    const message = assistantMessage(content, { ...route, replayState })
    expect(modelMessages([message], route)[0]!.content).toEqual([
      { type: 'reasoning', text: 'Hm.', providerOptions: signature },
      { type: 'text', text: 'Yes.' },
    ])
    expect(modelMessages([message], { ...route, model: 'other' })[0]!.content).toEqual([{ type: 'text', text: 'Yes.' }])
  })

  it('gives nothing back beside blocks that have shifted', () => {
    const replayState = { metadata: [null, { anthropic: { signature: 's' } }] }
    const message = assistantMessage([{ type: 'reasoning', text: 'Hm.' }, call('a'), call('b')], {
      ...route,
      replayState,
    })
    expect(modelMessages([message], route)[0]!.content).toMatchObject([{ type: 'reasoning', text: 'Hm.' }, {}, {}])
    expect(JSON.stringify(modelMessages([message], route))).not.toContain('signature')
  })
})
