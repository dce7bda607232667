import { describe, expect, it } from 'vitest'
import { block, content, toolAnswer } from '../../src/payload/content.js'

const answer = { type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: 'ok' }] }

describe('block', () => {
  it('takes known kinds exactly and unknown kinds as they are', () => {
    const known = [
      { type: 'text', text: '' },
      { type: 'reasoning', text: 'hm' },
      { type: 'image', mediaType: 'image/png', data: '' },
      { type: 'image', mediaType: 'image/png', ref: 'blob:1' },
      { type: 'tool-call', id: 'c', name: 'read', arguments: '' },
      { ...answer, isError: false },
      { type: 'acme-chart', anything: [1] },
    ]
    expect(known.map(block)).toEqual(known.map(() => undefined))
    for (const found of known.slice(0, -1)) expect(block({ ...found, surplus: 1 })?.path).toBe('.surplus')
  })

  it('looks into the answer of a tool', () => {
    expect(block({ ...answer, content: [answer, { type: 'text' }] })?.path).toBe('.content[1].text')
  })

  it('refuses an image without, or with two, places of its bytes', () => {
    expect(block({ type: 'image', mediaType: 'image/png' })).toBeDefined()
    expect(block({ type: 'image', mediaType: 'image/png', data: '', ref: 'x' })).toBeDefined()
  })
})

describe('content', () => {
  it('is a list of blocks', () => {
    expect(content([])).toBeUndefined()
    expect(content([{ type: 'text', text: '' }, 5])?.path).toBe('[1]')
  })
})

describe('toolAnswer', () => {
  it('is one tool result', () => {
    expect(toolAnswer([answer])).toBeUndefined()
    expect(toolAnswer([answer, answer])?.found).toBe('2')
    expect(toolAnswer([{ type: 'text', text: '' }])?.path).toBe('[0].type')
  })
})
