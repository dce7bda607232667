import type { CallId, ContentBlock, Message, MessageId, ToolCallBlock } from '@dsh/llm'
import { Session, type SessionEvent } from '@dsh/session'
import fc from 'fast-check'

const text = fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 12 }).filter(value => value.trim() !== '')
const callId = fc.constantFrom('c1', 'c2', 'c3')
const image = fc.constantFrom(
  { type: 'image' as const, mediaType: 'image/png', data: 'AAAA' },
  { type: 'image' as const, mediaType: 'image/webp', ref: 'https://example.org/a.png' },
  { type: 'image' as const, mediaType: 'image/png', ref: 'sha256:x' },
)
const said: fc.Arbitrary<ContentBlock> = fc.oneof(
  text.map(value => ({ type: 'text' as const, text: value })),
  image,
)
const call: fc.Arbitrary<ToolCallBlock> = fc.record({
  type: fc.constant('tool-call' as const),
  id: callId as fc.Arbitrary<CallId>,
  name: fc.constantFrom('read', 'write'),
  arguments: fc.oneof(
    fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()).map(value => JSON.stringify(value)),
    fc.constantFrom('', '{bad', '[1]', '5'),
  ),
})
const turn = fc.record({
  prompts: fc.array(fc.array(said, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
  steps: fc.array(
    fc.record({
      reasoning: fc.array(text, { maxLength: 2 }),
      said: fc.array(said, { maxLength: 2 }),
      calls: fc.array(call, { maxLength: 2 }),
      results: fc.array(
        fc.record({ content: fc.array(said, { maxLength: 2 }), isError: fc.constantFrom(true, false, undefined) }),
        {
          minLength: 2,
          maxLength: 2,
        },
      ),
    }),
    { maxLength: 2 },
  ),
})

/** Sessions with prompts, answers, calls and results, as a provider's list can carry them. */
export const sessions: fc.Arbitrary<Session> = fc.array(turn, { maxLength: 3 }).map(turns => {
  const session = new Session('s', [], { version: 1, id: 's' as never, createdAt: 1 })
  let ids = 0
  const id = () => `m${ids++}` as MessageId
  const step = { turn: 1, step: 1 }
  for (const { prompts, steps } of turns) {
    for (const content of prompts) {
      session.append(
        'user/message',
        { id: id(), role: 'user', source: { kind: 'user' }, content },
        { surfaceOp: 'append' },
      )
    }
    for (const { reasoning, said: blocks, calls, results } of steps) {
      const unique = calls.filter((each, index) => calls.findIndex(other => other.id === each.id) === index)
      const content: ContentBlock[] = [
        ...reasoning.map(value => ({ type: 'reasoning' as const, text: value })),
        ...blocks,
        ...unique,
      ]
      const source = { kind: 'model' as const, provider: 'p', model: 'm' }
      session.append(
        'assistant/message',
        { ...step, message: { id: id(), role: 'assistant', source, content } },
        { surfaceOp: 'append' },
      )
      for (const [index, each] of unique.entries()) {
        const { isError, content: output } = results[index]!
        const block = {
          type: 'tool-result' as const,
          toolCallId: each.id,
          content: output,
          ...(isError !== undefined && { isError }),
        }
        const message = {
          id: id(),
          role: 'user' as const,
          source: { kind: 'tool' as const, callId: each.id },
          content: [block] as const,
        }
        session.append('tool/result', { ...step, message }, { surfaceOp: 'append' })
      }
    }
  }
  return session
})

/** An event without its number. */
export type Entry = readonly [type: string, data: unknown, marker?: object]

/** A session of events given without their numbers. */
export function sessionOf(...events: readonly Entry[]): Session {
  const log = events.map(([type, data, marker], seq) => ({
    type,
    seq,
    time: 1_767_225_600_000 + seq * 1_000,
    ...marker,
    data,
  }))
  return new Session('s', log as unknown as SessionEvent[], {
    version: 1,
    id: 's' as never,
    createdAt: 1_767_225_600_000,
  })
}

/** A message with one text. */
export function message(role: 'user' | 'assistant', value: string, source: object = { kind: 'user' }): Message {
  const content = [{ type: 'text', text: value }]
  return { id: `m${[...value].length}` as MessageId, role, source, content } as unknown as Message
}
