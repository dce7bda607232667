import { assembleChunks } from '@dsh/llm'
import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import { describe, expect, it } from 'vitest'
import { ChunkConverter } from '../../../src/model/live/chunks.ts'
import { finishReason, tokenUsage } from '../../../src/model/live/finish.ts'

type Part = TextStreamPart<ToolSet>

/** The chunks of an answer whose parts are these; only the fields that are looked at are given. */
function chunksOf(parts: readonly object[], isAborted = false) {
  const converter = new ChunkConverter()
  const chunks = parts.flatMap(part => [...converter.push(part as Part)])
  return [...chunks, ...converter.finish(isAborted)]
}

const usage = (fields: object) =>
  ({
    inputTokenDetails: {},
    outputTokenDetails: {},
    inputTokens: undefined,
    outputTokens: undefined,
    ...fields,
  }) as LanguageModelUsage
const finished = (finishReason: string, fields: object = {}) => ({
  type: 'finish-step',
  finishReason,
  rawFinishReason: 'x',
  usage: usage(fields),
})

describe('ChunkConverter', () => {
  it('keeps what the provider wants back, aligned with the blocks of the message', () => {
    const signature = { anthropic: { signature: 's' } }
    const chunks = chunksOf([
      { type: 'text-start', id: '0' },
      { type: 'text-end', id: '0' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', text: 'Hm.' },
      { type: 'reasoning-delta', id: '0', text: '', providerMetadata: signature },
      { type: 'reasoning-end', id: '0' },
      { type: 'tool-input-start', id: 'a', toolName: 'read' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} },
      finished('tool-calls'),
    ])
    const { content, replayState } = assembleChunks(chunks)
    expect(content.map(block => block.type)).toEqual(['reasoning', 'tool-call'])
    expect(replayState).toEqual({ metadata: [signature, null] })
  })

  it('takes a call that did not stream', () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } }
    expect(assembleChunks(chunksOf([call, finished('tool-calls')])).content).toEqual([
      { type: 'tool-call', id: 'a', name: 'read', arguments: '{"path":"x"}' },
    ])
  })

  it('ignores deltas of blocks that never began or have ended', () => {
    const chunks = chunksOf([
      { type: 'text-delta', id: '9', text: 'lost' },
      { type: 'text-end', id: '9' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', text: 'kept' },
      { type: 'text-end', id: '0' },
      { type: 'text-delta', id: '0', text: 'late' },
      finished('stop'),
    ])
    expect(assembleChunks(chunks).content).toEqual([{ type: 'text', text: 'kept' }])
  })

  it('names calls that have no id, and tells calls of one id apart', () => {
    const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} })
    const chunks = chunksOf([
      call(''),
      { type: 'tool-input-start', id: 'a', toolName: 'read' },
      { type: 'tool-input-start', id: 'a', toolName: 'read' },
      finished('tool-calls'),
    ])
    const ids = chunks.flatMap(chunk => (chunk.type === 'tool-call-delta' ? [chunk.id] : []))
    expect(new Set(ids)).toEqual(new Set(['call', 'a', 'a-2']))
  })

  it('says that an aborted answer was aborted, whatever else was said', () => {
    expect(chunksOf([finished('stop')], true).at(-1)).toEqual({ type: 'finish', reason: { kind: 'aborted' } })
    expect(chunksOf([{ type: 'abort' }]).at(-1)).toEqual({ type: 'finish', reason: { kind: 'aborted' } })
  })

  it('says that an answer without an end broke off', () => {
    expect(chunksOf([]).at(-1)).toMatchObject({ reason: { kind: 'error', failure: { code: 'CONNECTION_FAILED' } } })
  })
})

describe('finishReason', () => {
  it.each([
    ['stop', 'stop'],
    ['tool-calls', 'tool-calls'],
    ['length', 'max-tokens'],
    ['other', 'stop'],
    ['content-filter', 'error'],
    ['error', 'error'],
  ] as const)('takes %s for %s', (reason, kind) => {
    expect(finishReason(reason, 'raw').kind).toBe(kind)
  })
})

describe('tokenUsage', () => {
  it('makes the counts disjoint', () => {
    expect(tokenUsage(usage({ inputTokens: 100, outputTokens: 50 }))).toEqual({ inputTokens: 100, outputTokens: 50 })
    expect(
      tokenUsage(
        usage({
          inputTokens: 100,
          outputTokens: 50,
          inputTokenDetails: { cacheReadTokens: 60, cacheWriteTokens: 10 },
          outputTokenDetails: { reasoningTokens: 20 },
        }),
      ),
    ).toEqual({ inputTokens: 30, cacheReadTokens: 60, cacheWriteTokens: 10, outputTokens: 30, reasoningTokens: 20 })
  })

  it('has none where none was reported, and no count that is none', () => {
    expect(tokenUsage(usage({}))).toBeUndefined()
    expect(tokenUsage(usage({ inputTokens: Number.NaN, outputTokens: -3 }))).toEqual({
      inputTokens: 0,
      outputTokens: 0,
    })
  })
})
