import { describe, expect, it } from 'vitest'
import { Fields } from '../../../src/fields.js'
import { readAction, readObservation } from '../../../src/readers/openhands/version-0.js'

const action = (name: string, event: object) =>
  readAction(name, new Fields({ source: 'agent', action: name, ...event } as never))
const observation = (name: string, event: object) =>
  readObservation(name, new Fields({ observation: name, ...event } as never))
const text = (value: string) => ({ type: 'text', text: value })

describe('readAction', () => {
  it('reads messages, with their images', () => {
    expect(action('message', { source: 'user', args: { content: 'a', image_urls: ['https://a/b.png'] } })).toEqual({
      type: 'prompt',
      content: [text('a'), { type: 'image', mediaType: 'image/png', ref: 'https://a/b.png' }],
    })
    expect(action('message', { args: { content: 'a', wait_for_response: true } })).toMatchObject({
      type: 'answer',
      isLast: true,
    })
    expect(action('message', { args: { content: '' } })).toBeUndefined()
  })

  it('reads a call as the model wrote it, with what it thought and used', () => {
    const response = {
      id: 'r',
      model: 'm',
      choices: [{ message: { tool_calls: [{ id: 't', function: { name: 'bash', arguments: '{ "c": 1 }' } }] } }],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        cache_creation_input_tokens: 30,
        prompt_tokens_details: { cached_tokens: 60 },
      },
    }
    const metadata = { function_name: 'bash', tool_call_id: 't', model_response: response }
    expect(action('run', { tool_call_metadata: metadata, args: { command: 'ls', thought: 'hm' } })).toEqual({
      type: 'answer',
      content: [text('hm'), { type: 'tool-call', id: 't', name: 'bash', arguments: '{ "c": 1 }' }],
      model: 'm',
      usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 30 },
      isLast: false,
    })
  })

  it('makes a call of an action without one', () => {
    expect(action('run', { id: 4, args: { command: 'ls', thought: '' } })).toMatchObject({
      content: [{ type: 'tool-call', id: 'openhands:4', name: 'run', arguments: '{"command":"ls"}' }],
    })
  })

  it('takes the end of the work for text', () => {
    expect(action('finish', { args: { thought: 'done', outputs: {} } })).toMatchObject({
      content: [text('done')],
      isLast: true,
    })
  })

  it('reads the system prompt, and what was left out with or without a summary', () => {
    expect(action('system', { args: { content: 'rules', tools: [] } })).toEqual({
      type: 'system',
      text: 'rules',
      tools: [],
    })
    expect(action('condensation', { args: { forgotten_event_ids: [1, 2], summary: 'sum' } })).toEqual({
      type: 'condensation',
      forgotten: [1, 2],
      content: [text('sum')],
    })
    expect(action('condensation', { args: { forgotten_events_start_id: 3, forgotten_events_end_id: 5 } })).toEqual({
      type: 'condensation',
      forgotten: [3, 4, 5],
      content: [text('(3 earlier events were left out here.)')],
    })
    expect(action('condensation', { args: {} })).toBeUndefined()
  })

  it('has nothing for actions of the runtime, or of others than the agent', () => {
    for (const name of ['recall', 'change_agent_state', 'null']) expect(action(name, { args: {} })).toBeUndefined()
    expect(action('run', { source: 'user', args: { command: 'ls' } })).toBeUndefined()
    expect(action('run', {})).toBeUndefined()
  })
})

describe('readObservation', () => {
  it('reads what the model got to see', () => {
    const metadata = { prefix: '[', suffix: ']', exit_code: 0 }
    expect(observation('run', { cause: 1, content: 'x', extras: { metadata } })).toEqual({
      type: 'result',
      callId: 'openhands:1',
      content: [text('[x]')],
      isError: undefined,
      meta: { metadata },
    })
    expect(
      observation('edit', { cause: 1, content: 'diff', extras: { formatted_output_and_error: 'edited' } }),
    ).toMatchObject({
      content: [text('edited')],
    })
    expect(observation('error', { cause: 1, content: 'no' })).toMatchObject({ isError: true })
  })

  it('reads the states that end a turn', () => {
    const ending = (agent_state: string, reason?: string) =>
      observation('agent_state_changed', { extras: { agent_state, ...(reason !== undefined && { reason }) } })
    expect(ending('finished')).toEqual({ type: 'end', ending: { kind: 'completed' } })
    expect(ending('stopped')).toEqual({ type: 'end', ending: { kind: 'aborted' } })
    expect(ending('error', 'no quota')).toEqual({ type: 'end', ending: { kind: 'error', message: 'no quota' } })
    expect(ending('running')).toBeUndefined()
  })

  it('has nothing for observations that answer nothing', () => {
    expect(observation('null', { cause: 1, content: '' })).toBeUndefined()
    expect(observation('recall', { cause: 1, content: '' })).toBeUndefined()
    expect(observation('run', { content: 'x' })).toBeUndefined()
  })
})
