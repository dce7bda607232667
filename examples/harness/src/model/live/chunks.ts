import { type CallId, callId, type FinishReason, type LlmFailure, type StreamChunk } from '@dsh/llm'
import type { ProviderMetadata, TextStreamPart, ToolSet } from 'ai'
import { closeCutCall, isCut } from '../cut-call.ts'
import { llmFailure } from './failure.ts'
import { finishReason, tokenUsage } from './finish.ts'
import { replayState } from './replay.ts'

type BlockType = 'text' | 'reasoning' | 'tool-call'

interface StreamedBlock {
  readonly index: number
  readonly type: BlockType
  /** Of a call. */
  readonly id: CallId
  readonly name: string
  text: string
  metadata: ProviderMetadata | null
}

/** Turns the parts that the SDK streams for one answer into chunks. */
export class ChunkConverter {
  readonly #blocks: StreamedBlock[] = []
  readonly #open = new Map<string, StreamedBlock>()
  #usage: StreamChunk | undefined
  #reason: FinishReason | undefined

  /** Whether the answer has failed, so that nothing that follows counts. */
  get hasFailed(): boolean {
    return this.#reason?.kind === 'error' || this.#reason?.kind === 'aborted'
  }

  *push(part: TextStreamPart<ToolSet>): Generator<StreamChunk> {
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
        return yield* this.#delta('tool-call', toolCallId, '', providerMetadata)
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

  /** The chunks at the end of the stream. Calls end here: only now is it known whether the last one is whole. */
  *finish(isAborted: boolean): Generator<StreamChunk> {
    const reason: FinishReason = isAborted ? { kind: 'aborted' } : (this.#reason ?? finishReason('other', undefined))
    for (const { type, index, id, name, text } of this.#open.values()) {
      const call = { type: 'tool-call', id, name, arguments: text } as const
      if (type !== 'tool-call' || this.hasFailed) continue
      const isBroken = reason.kind === 'max-tokens' && isCut(text)
      yield isBroken ? closeCutCall({ index, name }) : { type: 'block-end', index, block: call }
    }
    if (this.#usage !== undefined) yield this.#usage
    // Aligned with the blocks of the message, which leaves out those without content.
    const state = replayState(this.#blocks.filter(isInMessage).map(({ metadata }) => metadata))
    yield { type: 'finish', reason, ...(state !== undefined && { replayState: state }) }
  }

  *#start(type: BlockType, id: string, name = ''): Generator<StreamChunk> {
    const index = this.#blocks.length
    const block: StreamedBlock = { index, type, id: this.#freeId(id), name, text: '', metadata: null }
    this.#blocks.push(block)
    this.#open.set(`${type} ${id}`, block)
    yield { type: 'block-start', index, blockType: type }
    if (type === 'tool-call') yield { type: 'tool-call-delta', index, id: block.id, name, argumentsDelta: '' }
  }

  *#delta(type: BlockType, id: string, text: string, metadata?: ProviderMetadata): Generator<StreamChunk> {
    const block = this.#open.get(`${type} ${id}`)
    if (block === undefined) return
    block.text += text
    block.metadata = metadata ?? block.metadata
    const { index } = block
    if (text === '') return
    if (type === 'tool-call') yield { type: 'tool-call-delta', index, id: block.id, argumentsDelta: text }
    else yield { type: `${type}-delta`, index, text }
  }

  *#end(type: 'text' | 'reasoning', id: string, metadata?: ProviderMetadata): Generator<StreamChunk> {
    const key = `${type} ${id}`
    const block = this.#open.get(key)
    if (block === undefined) return
    block.metadata = metadata ?? block.metadata
    this.#open.delete(key)
    if (block.text !== '') yield { type: 'block-end', index: block.index, block: { type, text: block.text } }
  }

  /** Some providers give two calls of one answer the same id, and nobody could tell their results apart. */
  #freeId(id: string): CallId {
    const base = id || 'call'
    let free = base
    for (let count = 2; this.#blocks.some(block => block.id === free); count++) free = `${base}-${count}`
    return callId(free)
  }
}

function isInMessage({ type, text }: StreamedBlock): boolean {
  return type === 'tool-call' || text !== ''
}
