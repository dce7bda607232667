import type { ContentBlock } from './content.js'
import type { FinishReason } from './finish.js'
import type { CallId } from './ids.js'
import type { JsonValue } from './json.js'
import type { TokenUsage } from './usage.js'

/**
 * What a model streams, by tag. `index` numbers the blocks of one answer; blocks may interleave. A `block-end` carries
 * the whole block and outranks the deltas before it. Merge-extensible.
 */
export interface StreamChunkMap {
  'block-start': { readonly type: 'block-start'; readonly index: number; readonly blockType: string }
  'text-delta': { readonly type: 'text-delta'; readonly index: number; readonly text: string }
  'reasoning-delta': { readonly type: 'reasoning-delta'; readonly index: number; readonly text: string }
  'tool-call-delta': {
    readonly type: 'tool-call-delta'
    readonly index: number
    readonly id: CallId
    readonly name?: string
    readonly argumentsDelta: string
  }
  'block-end': { readonly type: 'block-end'; readonly index: number; readonly block: ContentBlock }
  usage: { readonly type: 'usage'; readonly usage: TokenUsage }
  finish: { readonly type: 'finish'; readonly reason: FinishReason; readonly replayState?: JsonValue }
}

/** One piece of a model's answer as it streams in. */
export type StreamChunk = StreamChunkMap[keyof StreamChunkMap]
