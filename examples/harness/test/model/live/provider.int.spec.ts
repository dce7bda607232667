import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { assembleChunks, type StreamChunk, userMessage } from '@dsh/llm'
import { afterEach, describe, expect, it } from 'vitest'
import { LiveProvider } from '../../../src/model/live/provider.ts'
import { collect } from '../../support/collect.ts'
import {
  delta,
  event,
  failed,
  hungUp,
  type OpenAiServer,
  pacedStream,
  type Reply,
  rawStream,
  silent,
  startOpenAiServer,
  streamed,
} from '../../support/openai-server.ts'

const config = { provider: 'openai-compatible', model: 'local', maxTokens: 500, temperature: 0, stop: ['END'] }
const tool = { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } } as const
const request = { header: { config, system: 'Be brief.', tools: [tool] }, messages: [userMessage('Hi')] }

let server: OpenAiServer | undefined
afterEach(() => server?.close())

async function open(...replies: readonly Reply[]) {
  server = await startOpenAiServer(...replies)
  const model = createOpenAICompatible({ name: 'local', baseURL: server.url, includeUsage: true })('local')
  return { server, provider: new LiveProvider({ model, config, silenceMs: 10_000 }) }
}

async function chunksOf(reply: Reply): Promise<StreamChunk[]> {
  const { provider } = await open(reply)
  return collect(provider.stream(request, new AbortController().signal))
}

describe('LiveProvider', () => {
  it('streams text, reasoning and parallel calls with their usage', async () => {
    const chunks = await chunksOf(
      streamed(
        delta.reasoning('Hm'),
        delta.reasoning('m.'),
        delta.text('I read'),
        delta.text(' both.'),
        delta.call(0, 'a', 'read_file', '{"pa'),
        delta.args(0, 'th": "x"}'),
        delta.call(1, 'b', 'read_file'),
        delta.args(1, '{"path": "y"}'),
        delta.finish('tool_calls'),
        delta.usage(100, 30, {
          prompt_tokens_details: { cached_tokens: 60 },
          completion_tokens_details: { reasoning_tokens: 10 },
        }),
      ),
    )
    expect(assembleChunks(chunks)).toEqual({
      content: [
        { type: 'reasoning', text: 'Hmm.' },
        { type: 'text', text: 'I read both.' },
        { type: 'tool-call', id: 'a', name: 'read_file', arguments: '{"path": "x"}' },
        { type: 'tool-call', id: 'b', name: 'read_file', arguments: '{"path": "y"}' },
      ],
      usage: { inputTokens: 40, cacheReadTokens: 60, outputTokens: 20, reasoningTokens: 10 },
      finish: { kind: 'tool-calls' },
    })
    expect(chunks.filter(chunk => chunk.type === 'text-delta')).toHaveLength(2)
    expect(chunks.filter(chunk => chunk.type === 'finish')).toHaveLength(1)
  })

  it('sends all that the header asks for', async () => {
    const { provider, server } = await open(streamed(delta.text('Hi'), delta.finish('stop')))
    await collect(provider.stream(request, new AbortController().signal))
    expect(JSON.parse(server.bodies[0]!)).toMatchObject({
      model: 'local',
      max_tokens: 500,
      temperature: 0,
      stop: ['END'],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ type: 'function', function: tool }],
    })
  })

  it('yields each chunk when it comes, however slow the stream is', async () => {
    const steps = [1, 2, 3, 4].map(() => Promise.withResolvers<void>())
    let next = 0
    const { provider } = await open(
      pacedStream(
        [delta.text('a'), delta.text('b'), delta.text('c'), delta.finish('stop')],
        () => steps[next++]!.promise,
      ),
    )
    const stream = provider.stream(request, new AbortController().signal)
    const texts: string[] = []
    for (const step of steps) {
      step.resolve()
      if (texts.length === 3) break
      for (;;) {
        const { value } = await stream.next()
        if (value?.type !== 'text-delta') continue
        texts.push(value.text)
        break
      }
    }
    expect(texts).toEqual(['a', 'b', 'c'])
    expect((await collect(stream)).at(-1)).toEqual({ type: 'finish', reason: { kind: 'stop' } })
  })

  it.each<[string, Reply, object]>([
    [
      'a busy provider',
      failed(429, 'Slow down', { 'retry-after': '3', 'x-request-id': 'r1' }),
      { code: 'HTTP_ERROR', status: 429, message: 'Slow down', providerRetryAfterMs: 3000, requestId: 'r1' },
    ],
    [
      'a wait that is out of all proportion',
      failed(503, 'Later', { 'retry-after': '86400' }),
      { code: 'HTTP_ERROR', status: 503, message: 'Later', providerRetryAfterMs: 60_000 },
    ],
    [
      'a date in the past',
      failed(503, 'Later', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
      { code: 'HTTP_ERROR', status: 503, message: 'Later', providerRetryAfterMs: 0 },
    ],
    ['a refused key', failed(401, 'No such key'), { code: 'HTTP_ERROR', status: 401, message: 'No such key' }],
    ['a connection that is closed without an answer', hungUp, { code: 'CONNECTION_FAILED' }],
    ['a stream that is torn off', rawStream([event(delta.text('Half'))], 'torn'), { code: 'CONNECTION_FAILED' }],
    ['a stream that ends early', rawStream([event(delta.text('Half'))]), { code: 'MALFORMED_STREAM' }],
    ['a stream of nothing', rawStream([]), { code: 'MALFORMED_STREAM' }],
    [
      'a chunk that is no JSON',
      rawStream([event(delta.text('Half')), 'data: {"cho\n\n', event(delta.text('more'))]),
      { code: 'MALFORMED_STREAM' },
    ],
    ['a chunk of another protocol', rawStream([event({ choices: 5 })]), { code: 'MALFORMED_STREAM' }],
    [
      'an error in the stream',
      rawStream([event({ error: { message: 'overloaded', type: 'overloaded_error', param: null, code: null } })]),
      { code: 'PROVIDER_ERROR', status: 503, message: 'overloaded' },
    ],
    [
      'an answer that is withheld',
      streamed(delta.text('Well'), delta.finish('content_filter')),
      { code: 'CONTENT_FILTERED' },
    ],
  ])('tells of %s', async (_, reply, failure) => {
    const finish = (await chunksOf(reply)).at(-1)
    expect(finish).toEqual({
      type: 'finish',
      reason: { kind: 'error', failure: { message: expect.any(String), ...failure } },
    })
  })

  it('gives up a provider that says nothing for too long', async () => {
    server = await startOpenAiServer(silent(delta.text('Well')))
    const model = createOpenAICompatible({ name: 'local', baseURL: server.url })('local')
    const provider = new LiveProvider({ model, config, silenceMs: 50 })
    const chunks = await collect(provider.stream(request, new AbortController().signal))
    expect(chunks.at(-1)).toMatchObject({ reason: { kind: 'error', failure: { code: 'STALLED' } } })
  })

  it('replaces a call that was cut at the output limit, and keeps one that is whole', async () => {
    const chunks = await chunksOf(
      streamed(
        delta.call(0, 'a', 'read_file', '{"path": "x"}'),
        delta.call(1, 'b', 'read_file', '{"pat'),
        delta.finish('length'),
      ),
    )
    expect(assembleChunks(chunks)).toMatchObject({
      content: [
        { type: 'tool-call', id: 'a' },
        { type: 'text', text: '[A call of read_file was cut off at the output limit.]' },
      ],
      finish: { kind: 'max-tokens' },
    })
  })

  it('gives two calls of one id ids of their own', async () => {
    const chunks = await chunksOf(
      streamed(
        delta.call(0, 'same', 'read_file', '{}'),
        delta.call(1, 'same', 'read_file', '{}'),
        delta.finish('tool_calls'),
      ),
    )
    const ids = assembleChunks(chunks).content.map(block => (block.type === 'tool-call' ? block.id : ''))
    expect(new Set(ids).size).toBe(2)
  })

  it('lets go of the connection when the signal aborts, and says so', async () => {
    const { provider, server } = await open(silent(delta.text('Half'), delta.text('more')))
    const abort = new AbortController()
    const chunks: StreamChunk[] = []
    for await (const chunk of provider.stream(request, abort.signal)) {
      chunks.push(chunk)
      if (chunk.type === 'text-delta') abort.abort()
    }
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: { kind: 'aborted' } })
    await expect.poll(server.brokenOff).toBe(1)
  })

  it('lets go of the connection when nobody listens any more', async () => {
    const { provider, server } = await open(silent(delta.text('Half')))
    for await (const _ of provider.stream(request, new AbortController().signal)) break
    await expect.poll(server.brokenOff).toBe(1)
  })

  it('sends nothing when the signal has aborted already', async () => {
    const { provider, server } = await open(streamed(delta.finish('stop')))
    const chunks = await collect(provider.stream(request, AbortSignal.abort()))
    expect(chunks).toEqual([{ type: 'finish', reason: { kind: 'aborted' } }])
    expect(server.bodies).toEqual([])
  })
})
