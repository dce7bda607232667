import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type ContentBlock,
  type ImageBlock,
  isToolCallBlock,
  isToolResultBlock,
  type ToolCallBlock,
  type ToolResultBlock,
} from '../src/content.js'
import { callId } from '../src/ids.js'

const call: ToolCallBlock = { type: 'tool-call', id: callId('c'), name: 'read', arguments: '{}' }
const result: ToolResultBlock = { type: 'tool-result', toolCallId: callId('c'), content: [] }
const unknown = { type: 'x-audio', data: '' } as unknown as ContentBlock
const blocks: ContentBlock[] = [{ type: 'text', text: 'tool-call' }, call, unknown, result]

describe('guards', () => {
  it('pick calls and results and narrow their type', () => {
    const calls = blocks.filter(isToolCallBlock)
    const results = blocks.filter(isToolResultBlock)
    expect(calls).toEqual([call])
    expect(results).toEqual([result])
    expectTypeOf(calls).toEqualTypeOf<ToolCallBlock[]>()
    expectTypeOf(results).toEqualTypeOf<ToolResultBlock[]>()
  })
})

describe('block types', () => {
  it('refuse a wrong block at compile time', () => {
    expectTypeOf<{ type: 'image'; mediaType: string }>().not.toExtend<ImageBlock>()
    expectTypeOf<{ type: 'image'; mediaType: string; ref: string }>().toExtend<ImageBlock>()
    expectTypeOf<{ type: 'tool-call'; id: string; name: string; arguments: string }>().not.toExtend<ContentBlock>()
    expectTypeOf<{
      type: 'tool-call'
      id: ToolCallBlock['id']
      name: string
      arguments: object
    }>().not.toExtend<ContentBlock>()
    expectTypeOf<{ type: 'video' }>().not.toExtend<ContentBlock>()
  })

  it('are read-only', () => {
    const block: ToolCallBlock = Object.freeze({ ...call })
    expect(() => {
      // @ts-expect-error blocks do not change
      block.name = 'write'
    }).toThrow(TypeError)
  })
})
