import { describe, expect, it } from 'vitest'
import { callOf } from '../../../src/readers/openhands/calls.js'

describe('callOf', () => {
  it('finds the ids of both versions', () => {
    const metadata = { tool_call_id: 't', model_response: { id: 'r' } }
    expect(callOf({ id: 1, action: 'run', tool_call_metadata: metadata })).toEqual({
      callId: 't',
      responseId: 'r',
      isAnswer: false,
    })
    expect(callOf({ id: 2, observation: 'run', cause: 1, tool_call_metadata: metadata })).toMatchObject({
      callId: 't',
      isAnswer: true,
    })
    expect(callOf({ kind: 'ActionEvent', tool_call_id: 't', llm_response_id: 'r' })).toEqual({
      callId: 't',
      responseId: 'r',
      isAnswer: false,
    })
    expect(callOf({ kind: 'ObservationEvent', tool_call_id: 't', action_id: 'e' })).toMatchObject({
      callId: 't',
      isAnswer: true,
    })
    expect(callOf({ kind: 'AgentErrorEvent', tool_call_id: 't' })).toMatchObject({ callId: 't', isAnswer: true })
  })

  it('pairs actions without tool calls by their event', () => {
    expect(callOf({ id: 7, action: 'run' }).callId).toBe('openhands:7')
    expect(callOf({ id: 8, observation: 'run', cause: 7 }).callId).toBe('openhands:7')
    expect(callOf({ action: 'run' }).callId).toBeUndefined()
  })
})
