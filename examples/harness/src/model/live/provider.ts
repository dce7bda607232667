import type { LlmCallConfig, StreamChunk } from '@dsh/llm'
import { type LanguageModel, streamText } from 'ai'
import type { ModelRequest, Provider } from '../provider.ts'
import { ChunkConverter } from './chunks.ts'
import { failure, llmFailure } from './failure.ts'
import { sdkRequest } from './request.ts'

/** What a live provider is made of. */
export interface LiveOptions {
  readonly model: LanguageModel
  readonly config: LlmCallConfig
  readonly contextWindow?: number
  /** Milliseconds without any sign of the provider after which a request counts as failed. Default 120,000. */
  readonly silenceMs?: number
}

/** Any model that the Vercel AI SDK can call. */
export class LiveProvider implements Provider {
  readonly config: LlmCallConfig
  declare readonly contextWindow?: number
  readonly #model: LanguageModel
  readonly #silenceMs: number

  constructor({ model, config, contextWindow, silenceMs = 120_000 }: LiveOptions) {
    this.config = config
    if (contextWindow !== undefined) this.contextWindow = contextWindow
    this.#model = model
    this.#silenceMs = silenceMs
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamChunk> {
    const converter = new ChunkConverter()
    const connection = new AbortController()
    const silence = setTimeout(() => connection.abort(), this.#silenceMs)
    try {
      const { fullStream } = streamText({
        ...sdkRequest(request),
        model: this.#model,
        // Retries are the loop's, which records them.
        maxRetries: 0,
        abortSignal: AbortSignal.any([signal, connection.signal]),
        onError() {},
      })
      for await (const part of fullStream) {
        silence.refresh()
        yield* converter.push(part)
        if (converter.hasFailed) break
      }
    } catch (error) {
      converter.fail(llmFailure(error))
    } finally {
      clearTimeout(silence)
      if (connection.signal.aborted)
        converter.fail(failure('STALLED', `The provider was silent for ${this.#silenceMs} ms.`))
      // Whoever stops listening lets go of the connection.
      else connection.abort()
    }
    yield* converter.finish(signal.aborted)
  }
}
