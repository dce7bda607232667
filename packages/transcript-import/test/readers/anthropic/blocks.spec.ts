import { describe, expect, it } from 'vitest'
import { Fields } from '../../../src/fields.js'
import { answeredCalls, readBlock, readContent, readResult, UNPARSED } from '../../../src/readers/anthropic/blocks.js'

function read(block: object): unknown[] {
  const fields = new Fields(block as never)
  return [readBlock(fields, 'id'), fields.rest()]
}

describe('readBlock', () => {
  it('reads text, thinking, calls and images', () => {
    expect(read({ type: 'text', text: 'a' })).toEqual([{ type: 'text', text: 'a' }, undefined])
    expect(read({ type: 'thinking', thinking: 'a', signature: '' })).toEqual([
      { type: 'reasoning', text: 'a' },
      undefined,
    ])
    expect(read({ type: 'tool_use', id: 't', name: 'n', input: { a: 1 } })).toEqual([
      { type: 'tool-call', id: 't', name: 'n', arguments: '{"a":1}' },
      undefined,
    ])
    expect(read({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } })).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'AA' },
      undefined,
    ])
    expect(read({ type: 'image', source: { type: 'url', url: 'https://a/b.png' } })).toEqual([
      { type: 'image', mediaType: 'image/png', ref: 'https://a/b.png' },
      undefined,
    ])
  })

  it('leaves what has no counterpart: signatures, citations, blocks of other kinds', () => {
    expect(read({ type: 'thinking', thinking: 'a', signature: 's' })[1]).toEqual({ signature: 's' })
    expect(read({ type: 'text', text: 'a', citations: [1] })[1]).toEqual({ citations: [1] })
    for (const block of [
      { type: 'redacted_thinking', data: 'x' },
      { type: 'server_tool_use', id: 's', name: 'web', input: {} },
      { type: 'text', text: 5 },
      { type: 'image', source: { type: 'base64', data: 'AA' } },
      {},
    ]) {
      expect(read(block)).toEqual([undefined, Object.keys(block).length === 0 ? undefined : block])
    }
  })

  it('gives a call without an id one', () => {
    expect(read({ type: 'tool_use', name: 'n' })[0]).toMatchObject({ id: 'id', arguments: '{}' })
  })

  it('unwraps arguments that were exported although they are no object', () => {
    expect(read({ type: 'tool_use', id: 't', name: 'n', input: { [UNPARSED]: '{bad' } })[0]).toMatchObject({
      arguments: '{bad',
    })
    expect(read({ type: 'tool_use', id: 't', name: 'n', input: { [UNPARSED]: 'x', a: 1 } })[0]).toMatchObject({
      arguments: `{"${UNPARSED}":"x","a":1}`,
    })
  })
})

describe('readResult', () => {
  it('reads a result whose content is text or blocks', () => {
    const block = (content: unknown) =>
      new Fields({ type: 'tool_result', tool_use_id: 't', content, is_error: true } as never)
    expect(readResult(block('a'))).toEqual({ callId: 't', content: [{ type: 'text', text: 'a' }], isError: true })
    expect(readResult(block([{ type: 'text', text: 'a' }, { type: 'tool_reference' }]))?.content).toEqual([
      { type: 'text', text: 'a' },
    ])
  })

  it('leaves one that answers no call', () => {
    for (const id of [undefined, '', 5]) {
      const block = new Fields({ type: 'tool_result', ...(id !== undefined && { tool_use_id: id }) } as never)
      expect(readResult(block)).toBeUndefined()
      expect(block.rest()).toEqual(block.record)
    }
  })
})

describe('readContent and answeredCalls', () => {
  it('read strings and lists, and nothing else', () => {
    expect(readContent(new Fields({ content: 'a' }), 'content')).toEqual([{ type: 'text', text: 'a' }])
    expect(readContent(new Fields({ content: [1] }), 'content')).toEqual([])
    expect(answeredCalls([{ type: 'tool_result', tool_use_id: 'a' }, { type: 'text' }, null])).toEqual(['a'])
    expect(answeredCalls('x')).toEqual([])
  })
})
