import { type CallId, type ContentBlock, callId, type FinishReason, type LlmFailure, type StreamChunk } from '@dsh/llm'
import type { ProviderMetadata, TextStreamPart, ToolSet } from 'ai'
import { llmFailure } from './failure.ts'
import { finishReason, tokenUsage } from './finish.ts'
import { replayState } from './replay.ts'

type Part = TextStreamPart<ToolSet>

interface OpenBlock {
  readonly index: number
  readonly type: 'text' | 'reasoning' | 'tool-call'
  /** Of a call. */
  readonly id: CallId
  readonly name: string
  text: string
  metadata: ProviderMetadata | null
}

/** Turns the parts that the SDK streams for one answer into chunks. */
export class ChunkConverter {
  readonly #blocks: OpenBlock[] = []
  readonly #open = new Map<string, OpenBlock>()
  #usage: StreamChunk | undefined
  #reason: FinishReason | undefined

  /** Whether the answer has failed, so that nothing that follows counts. */
  get hasFailed(): boolean {
    return this.#reason?.kind === 'error' || this.#reason?.kind === 'aborted'
  }

  *push(part: Part): Generator<StreamChunk> {
    switch (part.type) {
      case 'text-start':
        return yield* this.#start('text', part.id)
      case 'reasoning-start':
        return yield* this.#start('reasoning', part.id)
      case 'tool-input-start':
        return yield* this.#start('tool-call', part.id, part.toolName)
      case 'text-delta':
        return yield* this.#delta('text', part.id, part.text, part.providerMetadata)
      case 'reasoning-delta':
        return yield* this.#delta('reasoning', part.id, part.text, part.providerMetadata)
      case 'tool-input-delta':
        return yield* this.#delta('tool-call', part.id, part.delta, part.providerMetadata)
      case 'text-end':
        return yield* this.#end('text', part.id, part.providerMetadata)
      case 'reasoning-end':
        return yield* this.#end('reasoning', part.id, part.providerMetadata)
      case 'tool-call': {
        const { toolCallId, toolName, input, providerMetadata } = part
        if (!this.#open.has(`tool-call ${toolCallId}`)) {
          yield* this.#start('tool-call', toolCallId, toolName)
          yield* this.#delta('tool-call', toolCallId, typeof input === 'string' ? input : JSON.stringify(input))
        }
        return yield* this.#end('tool-call', toolCallId, providerMetadata)
      }
      case 'finish-step': {
        const usage = tokenUsage(part.usage)
        if (usage !== undefined) this.#usage = { type: 'usage', usage }
        this.#reason ??= finishReason(part.finishReason, part.rawFinishReason)
        return
      }
      case 'error':
        return this.fail(llmFailure(part.error))
      case 'abort':
        this.#reason = { kind: 'aborted' }
    }
  }

  /** The answer failed, whatever it came to before. */
  fail(failure: LlmFailure): void {
    this.#reason = { kind: 'error', failure }
  }

  /** The chunks at the end of the stream. */
  *finish(isAborted: boolean): Generator<StreamChunk> {
    if (this.#usage !== undefined) yield this.#usage
    const reason = isAborted ? ({ kind: 'aborted' } as const) : (this.#reason ?? finishReason('other', undefined))
    // Aligned with the blocks of the message, which leaves out those without content.
    const state = replayState(this.#blocks.filter(isInMessage).map(({ metadata }) => metadata))
    yield { type: 'finish', reason, ...(state !== undefined && { replayState: state }) }
  }

  *#start(type: OpenBlock['type'], id: string, name = ''): Generator<StreamChunk> {
    const index = this.#blocks.length
    const block: OpenBlock = { index, type, id: this.#freeId(id), name, text: '', metadata: null }
    this.#blocks.push(block)
    this.#open.set(`${type} ${id}`, block)
    yield { type: 'block-start', index, blockType: type }
    if (type === 'tool-call') yield { type: 'tool-call-delta', index, id: block.id, name, argumentsDelta: '' }
  }

  *#delta(type: OpenBlock['type'], id: string, text: string, metadata?: ProviderMetadata): Generator<StreamChunk> {
    const block = this.#open.get(`${type} ${id}`)
    if (block === undefined) return
    block.text += text
    block.metadata = metadata ?? block.metadata
    if (text === '') return
    if (block.type === 'tool-call') {
      yield { type: 'tool-call-delta', index: block.index, id: block.id, argumentsDelta: text }
    } else {
      yield { type: `${block.type}-delta`, index: block.index, text }
    }
  }

  *#end(type: OpenBlock['type'], id: string, metadata?: ProviderMetadata): Generator<StreamChunk> {
    const key = `${type} ${id}`
    const block = this.#open.get(key)
    if (block === undefined) return
    block.metadata = metadata ?? block.metadata
    this.#open.delete(key)
    if (isInMessage(block)) yield { type: 'block-end', index: block.index, block: contentBlock(block) }
  }

  /** Some providers give two calls of one answer the same id, and nobody could tell their results apart. */
  #freeId(id: string): CallId {
    let free = id
    for (let count = 2; this.#blocks.some(block => block.type === 'tool-call' && block.id === free); count++) {
      free = `${id}-${count}`
    }
    return callId(free)
  }
}

function isInMessage({ type, text }: OpenBlock): boolean {
  return type === 'tool-call' || text !== ''
}

function contentBlock({ type, id, name, text }: OpenBlock): ContentBlock {
  return type === 'tool-call' ? { type, id, name, arguments: text } : { type, text }
}
