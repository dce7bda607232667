import { setTimeout as delay } from 'node:timers/promises'
import { type FinishReason, type LlmCallConfig, providerTranscript, type StreamChunk } from '@dsh/llm'
import { summarySystem } from '../../agent/compaction.ts'
import { closeCutCall } from '../cut-call.ts'
import type { ModelRequest, Provider } from '../provider.ts'
import type { Action } from './action.ts'
import { plan } from './plan.ts'
import { plannedCallId, speak } from './speak.ts'
import { summarise } from './summary.ts'

/** How the planner poses as a model. */
export interface OfflineOptions {
  /** Milliseconds between two tokens. Default 0. */
  readonly tokenDelayMs?: number
  /** Tokens of request and answer. Default 16,000. */
  readonly contextWindow?: number
  /** Tokens of an answer; unlimited where absent. */
  readonly maxTokens?: number
}

/** A model that needs no network: a planner that works by rules. The same request always gets the same answer. */
export class OfflineProvider implements Provider {
  readonly config: LlmCallConfig
  readonly contextWindow: number
  readonly #tokenDelayMs: number

  constructor({ tokenDelayMs = 0, contextWindow = 16_000, maxTokens }: OfflineOptions = {}) {
    this.config = { provider: 'offline', model: 'planner', ...(maxTokens !== undefined && { maxTokens }) }
    this.contextWindow = contextWindow
    this.#tokenDelayMs = tokenDelayMs
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamChunk> {
    const inputTokens = sizeInTokens(request)
    if (inputTokens > this.contextWindow) {
      yield failure('CONTEXT_OVERFLOW', `${inputTokens} tokens do not fit into ${this.contextWindow}.`, 400)
      return
    }
    let [outputTokens, reasoningTokens] = [0, 0]
    const limit = request.header.config.maxTokens ?? Number.POSITIVE_INFINITY
    let finish: FinishReason | undefined
    let call: { readonly index: number; readonly name: string } | undefined
    for (const chunk of answerTo(request)) {
      if (signal.aborted) finish = { kind: 'aborted' }
      else if (chunk.type === 'finish') finish = chunk.reason
      else if (isDelta(chunk) && outputTokens + reasoningTokens >= limit) finish = { kind: 'max-tokens' }
      if (finish !== undefined) break
      yield chunk
      if (chunk.type === 'block-end') call = undefined
      if (chunk.type === 'tool-call-delta' && chunk.name !== undefined) call = { index: chunk.index, name: chunk.name }
      if (!isDelta(chunk)) continue
      if (chunk.type === 'reasoning-delta') reasoningTokens++
      else outputTokens++
      if (this.#tokenDelayMs > 0) await delay(this.#tokenDelayMs, undefined, { signal }).catch(() => {})
    }
    if (finish?.kind === 'max-tokens' && call !== undefined) yield closeCutCall(call)
    yield { type: 'usage', usage: { inputTokens, outputTokens, ...(reasoningTokens > 0 && { reasoningTokens }) } }
    yield { type: 'finish', reason: finish! }
  }
}

function* answerTo({ header, messages }: ModelRequest): Generator<StreamChunk> {
  const transcript = providerTranscript(messages).messages
  const action: Action =
    header.system === summarySystem ? { say: summarise(transcript.slice(0, -1)), calls: [] } : plan(transcript)
  yield* speak(action, at => plannedCallId(transcript.length, at))
}

/** A token is taken for four characters of JSON. */
function sizeInTokens(request: ModelRequest): number {
  return Math.ceil(JSON.stringify(request).length / 4)
}

function isDelta(chunk: StreamChunk): boolean {
  return chunk.type === 'text-delta' || chunk.type === 'reasoning-delta' || chunk.type === 'tool-call-delta'
}

function failure(code: string, message: string, status: number): StreamChunk {
  return { type: 'finish', reason: { kind: 'error', failure: { code, message, status } } }
}
