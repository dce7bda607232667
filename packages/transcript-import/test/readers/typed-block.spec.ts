import { describe, expect, it } from 'vitest'
import { text } from '../../src/content.js'
import { Fields } from '../../src/fields.js'
import type { JsonRecord } from '../../src/json-value.js'
import { readTypedBlock } from '../../src/readers/typed-block.js'

const none = () => undefined

describe('readTypedBlock', () => {
  it.each([
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'a' },
    ],
    [
      { type: 'thinking', thinking: 'b' },
      { type: 'reasoning', text: 'b' },
    ],
    [
      { type: 'image', data: 'AA', mimeType: 'image/png' },
      { type: 'image', mediaType: 'image/png', data: 'AA' },
    ],
  ])('reads %j, and leaves nothing of it', (value, block) => {
    const fields = new Fields(value)
    expect(readTypedBlock(fields, none)).toEqual(block)
    expect(fields.rest()).toBeUndefined()
  })

  it.each<JsonRecord>([
    { type: 'text' },
    { type: 'thinking', thinking: 1 },
    { type: 'image', data: 'AA' },
    { type: 'odd' },
    {},
  ])('leaves %j as it is', value => {
    const fields = new Fields(value)
    expect(readTypedBlock(fields, none)).toBeUndefined()
    expect(fields.peek('type')).toBe(value.type)
  })

  it('leaves other kinds to the agent', () => {
    const call = text('a call')
    expect(readTypedBlock(new Fields({ type: 'toolCall' }), () => call)).toBe(call)
  })
})
