import { callId, type LlmFailure, type StreamChunk, type TokenUsage } from '@dsh/llm'
import type { ModelRequest, Provider } from '../../src/model/provider.ts'

/** What the provider does with one request. */
export type Script = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<StreamChunk> | Iterable<StreamChunk>

/** A provider that follows a script, a request at a time, and keeps what it was sent. */
export class ScriptedProvider implements Provider {
  readonly config = { provider: 'scripted', model: 'script' }
  readonly contextWindow = 1000
  readonly requests: ModelRequest[] = []
  readonly #scripts: Script[]

  constructor(...scripts: readonly Script[]) {
    this.#scripts = [...scripts]
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamChunk> {
    this.requests.push(request)
    const script = this.#scripts.shift()
    if (script === undefined) throw new Error('the script is over')
    yield* script(request, signal)
  }
}

/** A call of an answer. */
export interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly args?: object
}

/** An answer of some text and calls. */
export function answers(text: string, calls: readonly ScriptedCall[] = [], usage?: TokenUsage): Script {
  return () => [
    ...(text === '' ? [] : textChunks(text)),
    ...calls.flatMap(({ id, name, args = {} }, at) => callChunks(at + 1, id, name, JSON.stringify(args))),
    ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
    { type: 'finish', reason: { kind: calls.length > 0 ? 'tool-calls' : 'stop' } },
  ]
}

/** An answer that is cut at the output limit. */
export function cut(...chunks: readonly StreamChunk[]): Script {
  return () => [...chunks, { type: 'finish', reason: { kind: 'max-tokens' } }]
}

/** A request that fails, after some chunks. */
export function fails(failure: Partial<LlmFailure>, ...chunks: readonly StreamChunk[]): Script {
  const reason = { kind: 'error', failure: { message: 'it failed', code: 'HTTP_ERROR', ...failure } } as const
  return () => [...chunks, { type: 'finish', reason }]
}

/** Chunks, and then nothing more until the signal aborts. `reached` is called when the last of them was taken. */
export function hangs(reached: () => void, ...chunks: readonly StreamChunk[]): Script {
  return async function* (_, signal) {
    yield* chunks
    const aborted = new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    reached()
    await aborted
    yield { type: 'finish', reason: { kind: 'aborted' } }
  }
}

export function textChunks(text: string, index = 0): StreamChunk[] {
  return [
    { type: 'block-start', index, blockType: 'text' },
    ...(text.match(/\S+\s*/g) ?? []).map(part => ({ type: 'text-delta', index, text: part }) as const),
    { type: 'block-end', index, block: { type: 'text', text } },
  ]
}

export function callChunks(index: number, id: string, name: string, args: string): StreamChunk[] {
  return [
    { type: 'tool-call-delta', index, id: callId(id), name, argumentsDelta: args.slice(0, 3) },
    { type: 'tool-call-delta', index, id: callId(id), argumentsDelta: args.slice(3) },
  ]
}
