import { describe, expect, it } from 'vitest'
import { Fields } from '../../../src/fields.js'
import { leftOut, readEvent } from '../../../src/readers/openhands/events.js'

describe('readEvent', () => {
  it('reads the events of both versions', () => {
    expect(readEvent('action/message', new Fields({ source: 'user', args: { content: 'a' } }))).toMatchObject({
      type: 'prompt',
    })
    const message = { source: 'user', llm_message: { role: 'user', content: [{ type: 'text', text: 'a' }] } }
    expect(readEvent('MessageEvent', new Fields(message))).toMatchObject({ type: 'prompt' })
    expect(readEvent('observation/other', new Fields({}))).toBeUndefined()
    expect(readEvent('Other', new Fields({}))).toBeUndefined()
  })
})

describe('leftOut', () => {
  it('says how much is gone', () => {
    expect(leftOut(1)).toBe('(An earlier event was left out here.)')
    expect(leftOut(3)).toBe('(3 earlier events were left out here.)')
  })
})
