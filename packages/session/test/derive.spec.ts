import { deriveEventMessage, type SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { assistant, result, user } from './support/events.js'

function event(type: string, data: unknown): SessionEvent {
  return { type, seq: 0, time: 0, data } as unknown as SessionEvent
}

describe('deriveEventMessage', () => {
  it('gives the object inside the event', () => {
    const [prompt, answer, outcome] = [user('a'), assistant('b'), result('c', 'd')]
    expect(deriveEventMessage(event('user/message', prompt))).toBe(prompt)
    expect(deriveEventMessage(event('assistant/message', { message: answer }))).toBe(answer)
    expect(deriveEventMessage(event('tool/result', { message: outcome }))).toBe(outcome)
    expect(deriveEventMessage(event('steering/message', { message: prompt }))).toBe(prompt)
  })

  it('gives null for an assistant message that only carries usage', () => {
    expect(deriveEventMessage(event('assistant/message', { message: assistant('') }))).toBeNull()
  })

  it.each(['turn/start', 'assistant/chunk', 'tool/call', 'todo/write', 'stranger/fact'])('gives null for %s', type => {
    expect(deriveEventMessage(event(type, {}))).toBeNull()
  })
})
