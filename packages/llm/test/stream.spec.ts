import { expectTypeOf, it } from 'vitest'
import type { CallId } from '../src/ids.js'
import type { StreamChunk } from '../src/stream.js'

it('asks of each chunk what its type needs', () => {
  expectTypeOf<{ type: 'text-delta'; index: number; text: string }>().toExtend<StreamChunk>()
  expectTypeOf<{ type: 'tool-call-delta'; index: number; id: CallId; argumentsDelta: string }>().toExtend<StreamChunk>()
  expectTypeOf<{ type: 'text-delta'; text: string }>().not.toExtend<StreamChunk>()
  expectTypeOf<{
    type: 'tool-call-delta'
    index: number
    id: string
    argumentsDelta: string
  }>().not.toExtend<StreamChunk>()
  expectTypeOf<{ type: 'block-end'; index: number }>().not.toExtend<StreamChunk>()
  expectTypeOf<{ type: 'finish' }>().not.toExtend<StreamChunk>()
  expectTypeOf<{ type: 'usage'; usage: { inputTokens: number } }>().not.toExtend<StreamChunk>()
})
