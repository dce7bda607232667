import type { SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { isDelta } from '../../src/log/delta.js'

function chunk(data: unknown): SessionEvent {
  return { type: 'assistant/chunk', seq: 0, time: 0, data } as SessionEvent
}

describe('isDelta', () => {
  it.each(['text-delta', 'reasoning-delta', 'tool-call-delta'])('knows %s', type => {
    expect(isDelta(chunk({ chunk: { type } }))).toBe(true)
  })

  it.each([null, 5, {}, { chunk: null }, { chunk: { type: 'usage' } }, { chunk: { type: 'block-end' } }])(
    'lets %j be',
    data => {
      expect(isDelta(chunk(data))).toBe(false)
    },
  )

  it('looks at stream chunks only', () => {
    const event = { type: 'plugin/chunk', seq: 0, time: 0, data: { chunk: { type: 'text-delta' } } }
    expect(isDelta(event as unknown as SessionEvent)).toBe(false)
  })
})
