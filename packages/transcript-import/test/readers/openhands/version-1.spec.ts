import { describe, expect, it } from 'vitest'
import { Fields } from '../../../src/fields.js'
import { readVersion1 } from '../../../src/readers/openhands/version-1.js'

const read = (kind: string, event: object) => readVersion1(kind, new Fields({ kind, ...event } as never))
const text = (value: string) => ({ type: 'text', text: value })

describe('readVersion1', () => {
  it('reads the system prompt with its tools', () => {
    const tools = [{ type: 'function', function: { name: 'f', description: 'd', parameters: {} } }]
    expect(read('SystemPromptEvent', { system_prompt: { type: 'text', text: 'rules' }, tools })).toEqual({
      type: 'system',
      text: 'rules',
      tools: [{ name: 'f', description: 'd', parameters: {} }],
    })
  })

  it('reads messages of all sides', () => {
    const message = (role: string, source: string) =>
      read('MessageEvent', {
        source,
        llm_message: { role, content: [text('a'), { type: 'image', image_urls: ['https://a/b.gif'] }] },
      })
    const content = [text('a'), { type: 'image', mediaType: 'image/gif', ref: 'https://a/b.gif' }]
    expect(message('user', 'user')).toEqual({ type: 'prompt', content })
    expect(message('user', 'environment')).toEqual({ type: 'context', content })
    expect(message('assistant', 'agent')).toMatchObject({ type: 'answer', content, isLast: false })
    expect(read('MessageEvent', { llm_message: { role: 'user', content: [] } })).toBeUndefined()
  })

  it('reads actions as calls, with thought and reasoning, and the last as text', () => {
    const event = { thought: [text('hm')], reasoning_content: 'deep', tool_name: 'bash', tool_call_id: 't' }
    expect(read('ActionEvent', { ...event, tool_call: { id: 't', name: 'bash', arguments: '{}' } })).toMatchObject({
      content: [
        { type: 'reasoning', text: 'deep' },
        text('hm'),
        { type: 'tool-call', id: 't', name: 'bash', arguments: '{}' },
      ],
    })
    const nested = { id: 't', type: 'function', function: { name: 'other', arguments: '{"a":1}' } }
    expect(read('ActionEvent', { tool_call: nested })).toMatchObject({
      content: [{ type: 'tool-call', id: 't', name: 'other', arguments: '{"a":1}' }],
    })
    expect(read('ActionEvent', { ...event, action: { kind: 'FinishAction', message: 'done' } })).toMatchObject({
      content: [{ type: 'reasoning', text: 'deep' }, text('hm'), text('done')],
      isLast: true,
    })
    expect(read('ActionEvent', { action: { kind: 'X' } })).toBeUndefined()
  })

  it('reads observations, errors and rejections as results', () => {
    const observed = (observation: object) => read('ObservationEvent', { tool_call_id: 't', observation })
    expect(observed({ content: [text('a')], is_error: true })).toMatchObject({
      callId: 't',
      content: [text('a')],
      isError: true,
    })
    expect(observed({ output: 'a', is_error: false })).toMatchObject({ content: [text('a')], isError: undefined })
    expect(read('AgentErrorEvent', { tool_call_id: 't', error: 'no' })).toMatchObject({
      content: [text('no')],
      isError: true,
    })
    expect(read('UserRejectObservation', { tool_call_id: 't', rejection_reason: 'stop' })).toMatchObject({
      content: [text('stop')],
      isError: true,
    })
    expect(read('ObservationEvent', { observation: {} })).toBeUndefined()
  })

  it('reads pauses, errors and condensations, and nothing else', () => {
    expect(read('PauseEvent', {})).toEqual({ type: 'end', ending: { kind: 'aborted' } })
    expect(read('ConversationErrorEvent', { detail: 'x' })).toEqual({
      type: 'end',
      ending: { kind: 'error', message: 'x' },
    })
    expect(read('Condensation', { forgotten_event_ids: ['a'] })).toMatchObject({
      forgotten: ['a'],
      content: [text('(An earlier event was left out here.)')],
    })
    expect(read('Condensation', { forgotten_event_ids: [] })).toBeUndefined()
    expect(read('ConversationStateUpdateEvent', {})).toBeUndefined()
  })
})
