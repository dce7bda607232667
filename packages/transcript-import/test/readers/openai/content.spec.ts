import { describe, expect, it } from 'vitest'
import { Fields } from '../../../src/fields.js'
import { readCalls, readParts, readReasoning, readSaid } from '../../../src/readers/openai/content.js'

const fields = (record: object) => new Fields(record as never)

describe('readParts and readSaid', () => {
  it('read strings and parts', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'refusal', refusal: 'no' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
      { type: 'input_audio', input_audio: {} },
    ]
    const message = fields({ content })
    expect(readParts(message, 'content')).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'no' },
      { type: 'image', mediaType: 'image/png', data: 'AA' },
    ])
    expect(message.rest()).toEqual({ content: { 2: { image_url: { detail: 'low' } }, 3: content[3] } })
  })

  it('differ in what an empty string says: nothing where something is said, an empty output of a tool', () => {
    expect(readSaid(fields({ content: '' }), 'content')).toEqual([])
    expect(readParts(fields({ content: '' }), 'content')).toEqual([{ type: 'text', text: '' }])
    const message = fields({ content: null })
    expect([readSaid(message, 'content'), message.rest()]).toEqual([[], undefined])
  })
})

describe('readReasoning', () => {
  it('reads the fields that providers have added, and prefers the one that holds several texts', () => {
    expect(readReasoning(fields({ reasoning_content: 'a' }))).toEqual([{ type: 'reasoning', text: 'a' }])
    expect(readReasoning(fields({ reasoning: 'a' }))).toEqual([{ type: 'reasoning', text: 'a' }])
    const message = fields({
      reasoning: 'a',
      reasoning_content: 'another',
      reasoning_details: [
        { type: 'reasoning.text', text: 'a' },
        { type: 'reasoning.encrypted', data: 'x' },
      ],
    })
    expect(readReasoning(message)).toEqual([{ type: 'reasoning', text: 'a' }])
    expect(message.rest()).toEqual({
      reasoning_content: 'another',
      reasoning_details: { 1: { type: 'reasoning.encrypted', data: 'x' } },
    })
    expect(readReasoning(fields({ reasoning_content: '' }))).toEqual([])
    expect(readReasoning(fields({}))).toEqual([])
  })
})

describe('readCalls', () => {
  it('reads function and custom calls, with an id where they have none', () => {
    const calls = [
      { id: '1', type: 'function', function: { name: 'a', arguments: '{ "x": 1 }' } },
      { type: 'custom', custom: { name: 'b', input: 'plain' } },
    ]
    expect(readCalls(fields({ tool_calls: calls }), 'm')).toEqual([
      { type: 'tool-call', id: '1', name: 'a', arguments: '{ "x": 1 }' },
      { type: 'tool-call', id: 'm-1', name: 'b', arguments: 'plain' },
    ])
  })
})
