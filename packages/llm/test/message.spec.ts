import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { ContentBlock } from '../src/content.js'
import { callId, messageId } from '../src/ids.js'
import {
  type AssistantMessage,
  assistantMessage,
  type Message,
  messageText,
  type ToolResultMessage,
  toolCalls,
  toolResultMessage,
  type UserMessage,
  userMessage,
} from '../src/message.js'
import { firstUnfrozen } from './deep-frozen.js'

const route = { provider: 'p', model: 'm' }
const c0 = callId('c0')

describe('constructors', () => {
  it('make one text block of a string, verbatim', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const content = [{ type: 'text', text }]
        expect(userMessage(text).content).toEqual(content)
        expect(assistantMessage(text, route).content).toEqual(content)
        expect(toolResultMessage(c0, text).content[0].content).toEqual(content)
      }),
    )
  })

  it('mint a different id for each message, or take the given one', () => {
    expect(userMessage('a').id).not.toBe(userMessage('a').id)
    const id = messageId('m1')
    expect([
      userMessage('', { id }).id,
      assistantMessage('', route, { id }).id,
      toolResultMessage(c0, '', { id }).id,
    ]).toEqual([id, id, id])
  })

  it('freeze copies and leave the objects of the caller open', () => {
    const content: ContentBlock[] = [{ type: 'tool-result', toolCallId: c0, content: [{ type: 'text', text: 'x' }] }]
    const replayState = { signatures: ['s'] }
    const envelope = { label: 'l' }
    for (const message of [
      userMessage(content, { envelope }),
      assistantMessage(content, { ...route, replayState }, { envelope }),
      toolResultMessage(c0, content, { envelope }),
    ]) {
      expect(firstUnfrozen(message)).toBeUndefined()
      expect(message.envelope).toEqual(envelope)
    }
    for (const own of [content, content[0], replayState, replayState.signatures, envelope]) {
      expect(Object.isFrozen(own)).toBe(false)
    }
  })

  it('have no key for what was not given, so that every message is lossless JSON', () => {
    const all = [
      userMessage('a', { envelope: undefined, source: undefined, id: undefined }),
      assistantMessage('a', { ...route, replayState: undefined, kind: undefined }),
      toolResultMessage(c0, 'a', { isError: undefined }),
    ]
    expect(all[1]!.source).toStrictEqual({ ...route, kind: 'model' })
    for (const message of all) expect(JSON.parse(JSON.stringify(message))).toStrictEqual(message)
    expect(Object.keys(all[0]!)).toEqual(['id', 'role', 'source', 'content'])
  })

  it('give a user message the source of a person unless told otherwise', () => {
    expect(userMessage('a')).toMatchObject({ role: 'user', source: { kind: 'user' } })
    const source = { kind: 'plugin', plugin: 'clock' } as const
    expect(userMessage('a', { source }).source).toEqual(source)
  })

  it('give an assistant message its route, and take the source of another message for one', () => {
    const first = assistantMessage('a', { ...route, replayState: [1] })
    expect(first).toMatchObject({
      role: 'assistant',
      source: { kind: 'model', provider: 'p', model: 'm', replayState: [1] },
    })
    expect(assistantMessage('b', first.source).source).toEqual(first.source)
  })

  it('tie a tool result to its call in block and source', () => {
    expect(toolResultMessage(c0, 'no', { isError: true })).toMatchObject({
      role: 'user',
      source: { kind: 'tool', callId: 'c0' },
      content: [{ type: 'tool-result', toolCallId: 'c0', content: [{ type: 'text', text: 'no' }], isError: true }],
    })
    expect(toolResultMessage(c0, 'yes', { isError: false }).content[0].isError).toBe(false)
    expect(toolResultMessage(c0, 'yes').content[0]).not.toHaveProperty('isError')
  })

  it('keep blocks of unknown kinds with all their fields', () => {
    const audio = { type: 'x-audio', data: [1, { rate: 2 }] } as unknown as ContentBlock
    expect(userMessage([audio]).content).toEqual([audio])
  })

  it('refuse content that cannot be frozen', () => {
    const block = { type: 'x-file', at: new Date(0) } as unknown as ContentBlock
    expect(() => userMessage([block])).toThrow(TypeError)
  })

  it('are typed', () => {
    expectTypeOf(userMessage('a')).toExtend<UserMessage>()
    expectTypeOf(assistantMessage('a', route)).toExtend<AssistantMessage>()
    expectTypeOf(toolResultMessage(c0, 'a')).toExtend<ToolResultMessage>()
    expectTypeOf<UserMessage>().not.toExtend<ToolResultMessage>()
    expectTypeOf<UserMessage>().not.toExtend<AssistantMessage>()
    // Compiled, never run.
    void (() => {
      // @ts-expect-error a plain string is not a call id
      toolResultMessage('c0', 'a')
      // @ts-expect-error an answer has a route
      assistantMessage('a')
      // @ts-expect-error the model is missing
      assistantMessage('a', { provider: 'p' })
      // @ts-expect-error only a model writes an answer
      assistantMessage('a', { kind: 'user', ...route })
      // @ts-expect-error no such source
      userMessage('a', { source: { kind: 'nobody' } })
      // @ts-expect-error a message id is branded
      userMessage('a', { id: 'm1' })
      // @ts-expect-error content does not change
      userMessage('a').content.push({ type: 'text', text: 'b' })
      // @ts-expect-error a result is about one call
      const two: ToolResultMessage['content'] = [
        ...toolResultMessage(c0, 'a').content,
        ...toolResultMessage(c0, 'b').content,
      ]
      return two
    })
  })
})

describe('toolCalls', () => {
  it('lists the calls in block order and nothing else', () => {
    const call = (id: string) => ({ type: 'tool-call', id: callId(id), name: 'f', arguments: '' }) as const
    const message = assistantMessage([call('b'), { type: 'text', text: 'x' }, call('a')], route)
    expect(toolCalls(message).map(call => call.id)).toEqual(['b', 'a'])
    expect(toolCalls(userMessage('x'))).toEqual([])
  })
})

describe('messageText', () => {
  it('joins text blocks and the text in tool results by line breaks, and leaves out the rest', () => {
    const message: Pick<Message, 'content'> = {
      content: [
        { type: 'reasoning', text: 'hidden' },
        { type: 'text', text: 'one' },
        { type: 'tool-call', id: c0, name: 'f', arguments: '"x"' },
        { type: 'tool-result', toolCallId: c0, content: [{ type: 'text', text: 'two' }] },
        { type: 'image', mediaType: 'image/png', data: '' },
        { type: 'x-audio', text: 'unknown' } as unknown as ContentBlock,
        { type: 'text', text: '' },
      ],
    }
    expect(messageText(message)).toBe('one\ntwo\n')
  })

  it('is the text itself for a message made from a string', () => {
    expect(messageText(userMessage('a\nb'))).toBe('a\nb')
    expect(messageText(toolResultMessage(c0, 'r'))).toBe('r')
    expect(messageText(userMessage([]))).toBe('')
  })
})
