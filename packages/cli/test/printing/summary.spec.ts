import type { SessionEvent } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeImage,
  describeReason,
  describeSource,
  describeTrigger,
  summarise,
  summariseMessage,
} from '../../src/printing/summary.js'

const event = (type: string, data: unknown) => ({ type, seq: 0, time: 0, data }) as unknown as SessionEvent

const step = { turn: 3, step: 2 }
const text = (text: string) => ({ type: 'text', text })
const result = (isError?: boolean) => ({ type: 'tool-result', toolCallId: 'c', content: [text('out\nput')], isError })

describe('summarise', () => {
  it.each([
    ['turn/start', { turn: 3, trigger: { kind: 'message', source: { kind: 'user' } } }, 'turn 3 message'],
    [
      'turn/start',
      { turn: 3, trigger: { kind: 'injection', source: { kind: 'plugin', plugin: 'clock' } } },
      'turn 3 injection by clock',
    ],
    ['turn/end', { turn: 3, reason: { kind: 'completed' } }, 'turn 3 completed'],
    [
      'turn/end',
      { turn: 3, reason: { kind: 'error', step: 2, failure: { message: 'too\nbusy' } } },
      'turn 3 error: too busy',
    ],
    ['step/end', step, 'turn 3 step 2'],
    ['user/message', { source: { kind: 'user' }, content: [text('Hello\n\tthere')] }, 'Hello there'],
    ['user/message', { source: { kind: 'plugin', plugin: 'clock' }, content: [text('Noon')] }, '[clock] Noon'],
    ['steering/message', { message: { content: [text('Stop')] } }, 'Stop'],
    [
      'assistant/message',
      {
        ...step,
        message: {
          content: [
            { type: 'reasoning', text: 'Hm' },
            text('So'),
            { type: 'tool-call', name: 'read' },
            { type: 'x/y' },
          ],
        },
      },
      '(Hm) So → read [x/y]',
    ],
    ['tool/call', { ...step, name: 'read', arguments: '{"a": 1}' }, 'read {"a": 1}'],
    ['tool/result', { ...step, message: { content: [result()] } }, 'ok: out put'],
    ['tool/result', { ...step, message: { content: [result(true)] } }, 'error: out put'],
    ['assistant/chunk', { ...step, chunk: { type: 'text-delta', text: 'He' } }, 'text-delta He'],
    ['assistant/chunk', { ...step, chunk: { type: 'tool-call-delta', argumentsDelta: '{"' } }, 'tool-call-delta {"'],
    ['assistant/chunk', { ...step, chunk: { type: 'block-start', blockType: 'text' } }, 'block-start text'],
    ['assistant/chunk', { ...step, chunk: { type: 'block-end', block: { type: 'text' } } }, 'block-end text'],
    ['assistant/chunk', { ...step, chunk: { type: 'finish', reason: { kind: 'stop' } } }, 'finish stop'],
    ['assistant/chunk', { ...step, chunk: { type: 'usage', usage: { inputTokens: 1 } } }, 'usage {"inputTokens":1}'],
    [
      'todo/write',
      {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'in_progress' },
        ],
      },
      '1 of 2 done, doing: b',
    ],
    [
      'request/header',
      { reason: 'initial', header: { config: { provider: 'p', model: 'm' }, tools: [{}] } },
      'initial: p/m, 1 tool',
    ],
    ['request/context', { provider: 'p', model: 'm', contextWindow: 1_000 }, 'p/m, 1000 tokens'],
    ['plugin/fact', { a: [1, { b: 'c' }] }, '{"a":[1,{"b":"c"}]}'],
    ['plugin/fact', null, 'null'],
  ])('says what a %s says', (type, data, words) => {
    expect(summarise(event(type, data))).toBe(words)
  })

  it('stays short however long a text is', () => {
    const data = { source: { kind: 'user' }, content: [text('x'.repeat(5_000_000))] }
    expect(summarise(event('user/message', data)).length).toBeLessThan(500)
  })

  it('reads any payload of any type, as a foreign log may hold it', () => {
    const types = [
      'turn/start',
      'turn/end',
      'step/start',
      'user/message',
      'assistant/message',
      'tool/result',
      'tool/call',
      'assistant/chunk',
      'todo/write',
      'request/header',
      'request/context',
      'x/y',
    ]
    const keys = fc.constantFrom(
      'turn',
      'message',
      'content',
      'chunk',
      'type',
      'text',
      'reason',
      'source',
      'todos',
      'header',
      'config',
      'x',
    )
    const payload = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.jsonValue()))),
    )
    fc.assert(
      fc.property(fc.constantFrom(...types), payload, (type, data) => {
        expect(summarise(event(type, data))).toBeTypeOf('string')
      }),
    )
  })
})

describe('parts of a summary', () => {
  it('are empty where there is nothing to say', () => {
    expect(describeTrigger(undefined)).toBe('')
    expect(describeReason({ kind: 'disposed' })).toBe('disposed')
    expect(summariseMessage({})).toBe('')
  })

  it('name who a message is from', () => {
    expect(describeSource({ kind: 'user' })).toBe('')
    expect(describeSource({ kind: 'model', provider: 'p', model: 'm' })).toBe('p/m')
    expect(describeSource({ kind: 'plugin', plugin: 'clock' })).toBe('clock')
    expect(describeSource({ kind: 'tool', callId: 'c' })).toBe('tool')
  })

  it('show an image by its size or its place', () => {
    expect(describeImage({ mediaType: 'image/png', data: 'A'.repeat(4_000) })).toBe('[image/png 3.0 kB]')
    expect(describeImage({ mediaType: 'image/png', ref: 'file:///a.png' })).toBe('[image/png file:///a.png]')
  })
})
