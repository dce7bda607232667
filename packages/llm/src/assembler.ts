import type { ContentBlock } from './content.js'
import type { FinishReason } from './finish.js'
import { frozenCopy } from './freeze.js'
import type { CallId } from './ids.js'
import type { JsonValue } from './json.js'
import type { StreamChunk } from './stream.js'
import type { TokenUsage } from './usage.js'

/** What a stream of chunks amounts to. A field is absent when no chunk told it. */
export interface Assembly {
  /** The blocks of the answer in the order of their indexes. */
  readonly content: readonly ContentBlock[]
  /** The last usage. */
  readonly usage?: TokenUsage
  /** The reason of the last `finish` chunk. */
  readonly finish?: FinishReason
  /** The replay state of the last `finish` chunk. */
  readonly replayState?: JsonValue
}

/** What the deltas of one kind, or of one call, said at an open index. */
interface Part {
  readonly type: 'text' | 'reasoning' | 'tool-call'
  id: string
  name: string
  text: string
  /** The block made of the above, until another delta arrives. */
  block: ContentBlock | undefined
}

/** An index of the stream; `end` is the block that closed it. */
interface Slot {
  readonly parts: Part[]
  end: ContentBlock | undefined
}

/**
 * Puts the chunks of one answer together, at a constant cost per chunk; it can be read between any two of them. What it
 * returns is deep-frozen and independent of the chunks.
 *
 * - Deltas are enough: `block-start` and `block-end` may be missing. A start alone yields no block, and neither do text
 *   or reasoning deltas that are all empty; a call needs neither a name nor arguments.
 * - A `block-end` is authoritative: its block, of whatever kind, stands for all deltas of its index and closes it.
 *   Whatever arrives for a closed index is ignored.
 * - Deltas of several kinds, or of several calls, at one open index yield a block each, in order of first appearance.
 * - The name of a call may come with any of its deltas; the last one counts. A delta without a call id continues the
 *   latest call of its index.
 * - Chunks of an unknown type, and deltas whose text is not a string, are ignored.
 */
export class BlockAssembler {
  readonly #slots = new Map<number, Slot>()
  #blocks: readonly ContentBlock[] | undefined
  #usage: TokenUsage | undefined
  #finish: FinishReason | undefined
  #replayState: JsonValue | undefined

  /** Takes the next chunk. */
  push(chunk: StreamChunk): void {
    switch (chunk.type) {
      case 'text-delta':
        this.#append(chunk.index, 'text', chunk.text)
        break
      case 'reasoning-delta':
        this.#append(chunk.index, 'reasoning', chunk.text)
        break
      case 'tool-call-delta':
        this.#append(chunk.index, 'tool-call', chunk.argumentsDelta ?? '', chunk.id, chunk.name)
        break
      case 'block-end':
        this.#close(chunk.index, chunk.block)
        break
      case 'usage':
        this.#usage = frozenCopy(chunk.usage)
        break
      case 'finish':
        this.#finish = frozenCopy(chunk.reason)
        this.#replayState = frozenCopy(chunk.replayState)
    }
  }

  /** The blocks so far, in the order of their indexes; the same objects as before where no chunk changed them. */
  blocks(): readonly ContentBlock[] {
    this.#blocks ??= Object.freeze([...this.#slots].sort(([a], [b]) => a - b).flatMap(([, slot]) => blocksOf(slot)))
    return this.#blocks
  }

  /** All that was told so far; the stream need not have ended. */
  result(): Assembly {
    return Object.freeze({
      content: this.blocks(),
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(this.#finish !== undefined && { finish: this.#finish }),
      ...(this.#replayState !== undefined && { replayState: this.#replayState }),
    })
  }

  #append(index: number, type: Part['type'], text: string, id = '', name = ''): void {
    if (typeof text !== 'string' || (text === '' && type !== 'tool-call')) return
    const slot = this.#open(index)
    if (slot === undefined) return
    let part = latestPart(slot.parts, type, id)
    if (part === undefined) {
      part = { type, id, name, text: '', block: undefined }
      slot.parts.push(part)
    }
    // Engines append to a string in constant time and flatten it when it is first read.
    part.text += text
    part.id ||= id
    part.name = name || part.name
    part.block = undefined
    this.#blocks = undefined
  }

  #close(index: number, block: ContentBlock): void {
    const slot = this.#open(index)
    if (slot === undefined) return
    slot.end = frozenCopy(block)
    this.#blocks = undefined
  }

  #open(index: number): Slot | undefined {
    const slot = this.#slots.get(index)
    if (slot !== undefined) return slot.end === undefined ? slot : undefined
    const opened: Slot = { parts: [], end: undefined }
    this.#slots.set(index, opened)
    return opened
  }
}

/** What a whole stream amounts to, by the rules of {@link BlockAssembler}. */
export function assembleChunks(chunks: Iterable<StreamChunk>): Assembly {
  const assembler = new BlockAssembler()
  for (const chunk of chunks) assembler.push(chunk)
  return assembler.result()
}

function latestPart(parts: readonly Part[], type: Part['type'], id: string): Part | undefined {
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]!
    if (part.type === type && (part.id === id || part.id === '' || id === '')) return part
  }
  return undefined
}

function blocksOf({ parts, end }: Slot): readonly ContentBlock[] {
  return end === undefined ? parts.map(part => (part.block ??= blockOf(part))) : [end]
}

function blockOf({ type, id, name, text }: Part): ContentBlock {
  return Object.freeze(type === 'tool-call' ? { type, id: id as CallId, name, arguments: text } : { type, text })
}
