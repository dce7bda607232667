import { describe, expect, it } from 'vitest'
import { payload } from '../../src/rules/payload.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import {
  assistant,
  call,
  chunk,
  context,
  type Draft,
  finish,
  header,
  raw,
  say,
  steering,
  stepEnd,
  stepStart,
  textDelta,
  toolCall,
  toolResult,
  turnEnd,
  turnStart,
  user,
} from '../support/draft.js'

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 }

/** The draft with `change` merged into its payload. */
function altered(draft: Draft, change: object): Draft {
  return { ...draft, data: { ...(draft.data as object), ...change } }
}

describe('payload', () => {
  it.each([
    turnStart(),
    turnEnd(),
    stepStart(),
    stepEnd(),
    user(),
    altered(user(), { envelope: { label: 'a', before: 'b', after: 'c' }, source: { kind: 'plugin', plugin: 'p' } }),
    altered(user(), { source: { kind: 'acme', any: [1] }, content: [{ type: 'acme-chart', points: [] }] }),
    altered(user(), { content: [{ type: 'image', mediaType: 'image/png', data: '' }] }),
    altered(user(), { content: [{ type: 'image', mediaType: 'image/png', ref: 'blob:1' }] }),
    assistant([say('Hi'), { type: 'reasoning', text: '' }, call('c')]),
    altered(assistant([]), { usage }),
    toolCall('c'),
    toolResult('c', { isError: true }),
    altered(toolResult('c'), { error: { name: 'ToolError', code: 'TOOL_NOT_STARTED' }, meta: { diff: [null] } }),
    steering(),
    header(),
    altered(header(), {
      header: {
        config: { provider: 'p', model: 'm', reasoningEffort: 'low', temperature: 0.5, maxTokens: 9, stop: ['x'] },
        tools: [{ name: 'read', description: '', parameters: { type: 'object' } }],
      },
    }),
    context(),
    textDelta(),
    finish(),
    chunk({ type: 'block-start', index: 0, blockType: 'text' }),
    chunk({ type: 'reasoning-delta', index: 1, text: '' }),
    chunk({ type: 'tool-call-delta', index: 1, id: 'c', argumentsDelta: '{' }),
    chunk({ type: 'tool-call-delta', index: 1, id: 'c', name: 'read', argumentsDelta: '' }),
    chunk({ type: 'block-end', index: 0, block: { type: 'acme-chart', any: 1 } }),
    chunk({ type: 'usage', usage }),
    chunk({ type: 'finish', reason: { kind: 'error', failure: { message: '', code: '' } }, replayState: null }),
    chunk({ type: 'finish', reason: { kind: 'acme', any: 1 } }),
    chunk({ type: 'acme-ping', any: 1 }),
  ])('accepts $type with $data', draft => {
    expect(complaints(payload, draft)).toEqual([])
  })

  it.each([
    [turnStart(0), 'expected a whole number from 1, found 0 at data.turn'],
    [altered(turnStart(), { by: 'me' }), 'expected no such field, found "me" at data.by'],
    [raw('step/start', { turn: 1 }), 'expected a value, found none at data.step'],
    [raw('step/end', null), 'expected an object, found null at data'],
    [raw('step/end', []), 'expected an object, found a list at data'],
    [stepStart(1.5), 'expected a whole number from 1, found 1.5 at data.step'],
    [altered(user(), { id: '' }), 'expected a non-empty string, found "" at data.id'],
    [altered(user(), { role: 'system' }), 'expected "user", found "system" at data.role'],
    [altered(user(), { turn: 1 }), 'expected no such field, found 1 at data.turn'],
    [altered(user(), { envelope: { title: 'a' } }), 'expected no such field, found "a" at data.envelope.title'],
    [altered(user(), { source: { kind: 'user', name: 'x' } }), 'expected no such field, found "x" at data.source.name'],
    [altered(user(), { content: 'Hi' }), 'expected a list, found "Hi" at data.content'],
    [
      altered(user(), { content: [say('a'), { text: 'b' }] }),
      'expected a non-empty string, found none at data.content[1].type',
    ],
    [
      altered(user(), { content: [{ type: 'image', mediaType: 'a/b', ref: 'x', data: 'y' }] }),
      'expected exactly one of data and ref, found both at data.content[0]',
    ],
    [altered(assistant([]), { usage: { inputTokens: 1 } }), 'expected a value, found none at data.usage.outputTokens'],
    [altered(assistant([]), { usage: { ...usage, cost: 1 } }), 'expected no such field, found 1 at data.usage.cost'],
    [
      altered(assistant([]), { usage: { ...usage, inputTokens: -1 } }),
      'expected a whole number from 0, found -1 at data.usage.inputTokens',
    ],
    [altered(toolCall('c'), { arguments: {} }), 'expected a string, found an object at data.arguments'],
    [altered(toolResult('c'), { error: { name: 'x' } }), 'expected a value, found none at data.error.code'],
    [
      altered(header(), { reason: 'fallback' }),
      'expected "initial" or "resume" or "change", found "fallback" at data.reason',
    ],
    [
      altered(header(), { header: { config: { provider: 'p', model: 'm', topK: 1 } } }),
      'expected no such field, found 1 at data.header.config.topK',
    ],
    [altered(context(), { contextWindow: 0 }), 'expected a whole number from 1, found 0 at data.contextWindow'],
    [chunk({ type: 'text-delta', index: 0 }), 'expected a value, found none at data.chunk.text'],
    [
      chunk({ type: 'text-delta', index: -1, text: '' }),
      'expected a whole number from 0, found -1 at data.chunk.index',
    ],
    [chunk({ type: 'text-delta', index: 0, text: '', at: 1 }), 'expected no such field, found 1 at data.chunk.at'],
    [raw('assistant/chunk', { turn: 1, step: 1, chunk: null }), 'expected an object, found null at data.chunk'],
    [altered(steering(), { step: 1 }), 'expected no such field, found 1 at data.step'],
  ])('refuses %j', (draft, complaint) => {
    expect(complaints(payload, draft)).toEqual([complaint])
  })

  it('shortens long values in its messages', () => {
    expect(complaints(payload, altered(user(), { role: 'x'.repeat(99) }))[0]).toMatch(/found "x{40}…" at data\.role$/)
  })

  it('says nothing about types it does not know', () => {
    expect(brokenBy({ ...payload, types: ['acme/note'] }, raw('acme/note', 5))).toEqual([])
  })

  it('checks the answer of a tool down to its one block', () => {
    const { data } = toolResult('c') as { data: { message: object } }
    const answer = (content: unknown) => altered(toolResult('c'), { message: { ...data.message, content } })
    expect(complaints(payload, answer([]))).toEqual(['expected exactly one block, found 0 at data.message.content'])
    expect(complaints(payload, answer([say('a')]))).toEqual([
      'expected "tool-result", found "text" at data.message.content[0].type',
    ])
    expect(complaints(payload, answer('a'))).toEqual(['expected a list, found "a" at data.message.content'])
  })
})
