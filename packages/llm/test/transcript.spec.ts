import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContentBlock, isToolCallBlock, isToolResultBlock, type ToolResultBlock } from '../src/content.js'
import { callId, messageId } from '../src/ids.js'
import {
  assistantMessage,
  type Message,
  messageText,
  toolCalls,
  toolResultMessage,
  userMessage,
} from '../src/message.js'
import { providerTranscript } from '../src/transcript.js'
import { firstUnfrozen } from './deep-frozen.js'

const text = (text: string): ContentBlock => ({ type: 'text', text })
const reasoning = (): ContentBlock => ({ type: 'reasoning', text: 'hm' })
const unknown = (): ContentBlock => ({ type: 'x-audio', data: '' }) as unknown as ContentBlock
const call = (id: string): ContentBlock => ({ type: 'tool-call', id: callId(id), name: 'f', arguments: '{}' })
const result = (id: string): ToolResultBlock => ({ type: 'tool-result', toolCallId: callId(id), content: [text('r')] })

const user = (id: string, ...content: ContentBlock[]) => userMessage(content, { id: messageId(id) })
const assistant = (id: string, ...content: ContentBlock[]) =>
  assistantMessage(content, { provider: 'p', model: 'm' }, { id: messageId(id) })
const answer = (id: string, call: string) => toolResultMessage(callId(call), 'r', { id: messageId(id) })

const ids = (messages: readonly Message[]) => messages.map(message => message.id)
const outcome = (messages: readonly Message[]) => {
  const transcript = providerTranscript(messages)
  return { ids: ids(transcript.messages), changes: transcript.changes }
}

const anyBlock = fc.oneof(
  fc.constantFrom('c0', 'c1', 'c2').map(call),
  fc.constantFrom('c0', 'c1', 'c2').map(result),
  fc.constantFrom('', ' \n\t', 'a', '\ud800').map(text),
  fc.constant(null).map(reasoning),
  fc.constant(null).map(unknown),
)
/** Objects of their own for each block, so that identity tells them apart. */
const anyMessages = fc
  .array(fc.tuple(fc.constantFrom('user', 'assistant', 'system'), fc.array(anyBlock, { maxLength: 4 })), {
    maxLength: 12,
  })
  .map(all =>
    all.map(([role, content], at): Message => ({ ...user(`m${at}`), role: role as Message['role'], content })),
  )
/** Mostly sound turns, so that long runs of pairing are met too. */
const anyTurns = fc
  .array(
    fc.oneof(
      fc.subarray(['c0', 'c1', 'c2'], { minLength: 1 }).map(calls => assistant('a', text('t'), ...calls.map(call))),
      fc.constantFrom('c0', 'c1', 'c2').map(id => answer('r', id)),
      fc.constant(null).map(() => user('u', text('t'))),
    ),
    { maxLength: 20 },
  )
  .map(all => all.map((message, at) => ({ ...message, id: messageId(`${message.id}${at}`) })))
const anyTranscript = fc.oneof(anyMessages, anyTurns)

/** What a strict provider would complain about. */
function complaints(messages: readonly Message[]): string[] {
  const found: string[] = []
  for (let at = 0; at < messages.length; at++) {
    const { id, role, content } = messages[at]!
    if (content.length === 0) found.push(`${id} is empty`)
    if (content.some(block => block.type === 'text' && block.text.trim() === '')) found.push(`${id} has blank text`)
    if (content.some(isToolResultBlock)) found.push(`${id} has a result that nobody waits for`)
    const calls = content.filter(isToolCallBlock)
    if (role !== 'assistant') {
      if (calls.length > 0) found.push(`${id} makes calls as ${role}`)
      continue
    }
    if (content.at(-1)?.type === 'reasoning') found.push(`${id} ends in reasoning`)
    if (new Set(calls.map(call => call.id)).size < calls.length) found.push(`${id} repeats a call id`)
    for (const call of calls) {
      const next = messages[++at]
      const [block, ...more] = next?.content ?? []
      const fits = next?.role === 'user' && block?.type === 'tool-result' && block.toolCallId === call.id
      if (!fits || more.length > 0) found.push(`${id}: ${call.id} is not answered in its place`)
    }
  }
  return found
}

/** Every call that stays, in order, with the result that belongs to it; looked up by brute force. */
function naivePairs(messages: readonly Message[]): { call: ContentBlock; result: ContentBlock | undefined }[] {
  const pairs: { call: ContentBlock; result: ContentBlock | undefined }[] = []
  for (const { role, content } of messages) {
    content.forEach((block, at) => {
      const repeated = content
        .slice(0, at)
        .some(other => isToolCallBlock(other) && isToolCallBlock(block) && other.id === block.id)
      if (isToolCallBlock(block) && role === 'assistant' && !repeated) pairs.push({ call: block, result: undefined })
      if (!isToolResultBlock(block)) return
      const pair = pairs.findLast(
        ({ call, result }) => isToolCallBlock(call) && call.id === block.toolCallId && !result,
      )
      if (pair !== undefined) pair.result = block
    })
  }
  return pairs
}

describe('for any list of messages', () => {
  it('the transcript is one that a strict provider accepts', () => {
    fc.assert(
      fc.property(anyTranscript, messages => {
        expect(complaints(providerTranscript(messages).messages)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('the transcript of a transcript is the same messages, and nothing changes', () => {
    fc.assert(
      fc.property(anyTranscript, messages => {
        const once = providerTranscript(messages)
        const twice = providerTranscript(once.messages)
        expect(twice.changes).toEqual([])
        expect(twice.messages.length).toBe(once.messages.length)
        twice.messages.forEach((message, at) => {
          expect(message).toBe(once.messages[at])
        })
      }),
    )
  })

  it('each call has the nearest following result that no later call of its id takes, or an error', () => {
    fc.assert(
      fc.property(anyTranscript, messages => {
        const out = providerTranscript(messages).messages.flatMap(message => message.content)
        const calls = out.filter(isToolCallBlock)
        const results = out.filter(isToolResultBlock)
        const pairs = naivePairs(messages)
        expect(calls.length).toBe(pairs.length)
        pairs.forEach((pair, at) => {
          expect(calls[at]).toBe(pair.call)
          if (pair.result === undefined) expect(results[at]).toMatchObject({ isError: true })
          else expect(results[at]).toBe(pair.result)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('all other content keeps its order and identity', () => {
    fc.assert(
      fc.property(anyTranscript, messages => {
        const plain = (list: readonly Message[], dropReasoning: boolean) =>
          list
            .flatMap(message => message.content)
            .filter(block => !isToolCallBlock(block) && !isToolResultBlock(block))
            .filter(block => block.type !== 'text' || block.text.trim() !== '')
            .filter(block => !(dropReasoning && block.type === 'reasoning'))
        const { messages: out, changes } = providerTranscript(messages)
        const before = plain(messages, true)
        plain(out, true).forEach((block, at) => {
          expect(block).toBe(before[at])
        })
        expect(plain(out, true).length).toBe(before.length)
        const lost = new Set(changes.map(change => change.messageId))
        const intact = messages.filter(message => !lost.has(message.id))
        expect(plain(intact, false).every(block => plain(out, false).includes(block))).toBe(true)
      }),
    )
  })

  it('a change is reported exactly when there is one, for the message that changed', () => {
    fc.assert(
      fc.property(anyTranscript, messages => {
        const { messages: out, changes } = providerTranscript(messages)
        const same = out.length === messages.length && out.every((message, at) => message === messages[at])
        expect(changes.length === 0).toBe(same)
        const changed = new Set(changes.map(change => change.messageId))
        for (const message of messages) if (!out.includes(message)) expect(changed).toContain(message.id)
        const pairs = naivePairs(messages)
        const count = (kind: string) => changes.filter(change => change.kind === kind).length
        const given = messages.flatMap(message => message.content)
        const answered = pairs.filter(pair => pair.result !== undefined).length
        expect(count('result-added')).toBe(pairs.length - answered)
        expect(count('result-dropped')).toBe(given.filter(isToolResultBlock).length - answered)
        expect(count('call-dropped')).toBe(given.filter(isToolCallBlock).length - pairs.length)
      }),
      { numRuns: 300 },
    )
  })

  it('the input is left as it was, the output is the same each time, and ids stay unique', () => {
    fc.assert(
      fc.property(anyTranscript, messages => {
        const before = JSON.stringify(messages)
        const once = providerTranscript(messages)
        expect(JSON.stringify(messages)).toBe(before)
        expect(providerTranscript(messages)).toEqual(once)
        expect(new Set(ids(once.messages)).size).toBe(once.messages.length)
      }),
    )
  })
})

describe('results', () => {
  it('stay, as the same objects, where they directly follow their calls', () => {
    const messages = [
      user('u', text('go')),
      assistant('a', call('c0'), call('c1')),
      answer('r0', 'c0'),
      answer('r1', 'c1'),
    ]
    const { messages: out, changes } = providerTranscript(messages)
    expect(out).toEqual(messages)
    expect(out.every((message, at) => message === messages[at])).toBe(true)
    expect(changes).toEqual([])
  })

  it('are brought before a queued user message that came between', () => {
    const messages = [assistant('a', call('c0')), user('u', text('and?')), answer('r', 'c0')]
    expect(outcome(messages)).toEqual({
      ids: ['a', 'r', 'u'],
      changes: [{ kind: 'result-moved', messageId: 'r', callId: 'c0' }],
    })
  })

  it('of parallel calls follow in block order, whatever the order of completion', () => {
    const messages = [assistant('a', call('c0'), call('c1')), answer('r1', 'c1'), answer('r0', 'c0')]
    expect(outcome(messages).ids).toEqual(['a', 'r0', 'r1'])
  })

  it('are each reported when several jump over the same message', () => {
    const messages = [
      assistant('a', call('c0'), call('c1')),
      user('u', text('x')),
      answer('r0', 'c0'),
      answer('r1', 'c1'),
    ]
    expect(outcome(messages)).toEqual({
      ids: ['a', 'r0', 'r1', 'u'],
      changes: [
        { kind: 'result-moved', messageId: 'r0', callId: 'c0' },
        { kind: 'result-moved', messageId: 'r1', callId: 'c1' },
      ],
    })
  })

  it('are made up for the calls that an abort left open, and say so as errors', () => {
    const messages = [assistant('a', call('c0'), call('c1'), call('c2')), answer('r1', 'c1'), user('u', text('go on'))]
    const { messages: out, changes } = providerTranscript(messages)
    expect(out.length).toBe(5)
    expect(out.slice(1, 4).map(message => message.content)).toMatchObject([
      [{ toolCallId: 'c0', isError: true }],
      [{ toolCallId: 'c1' }],
      [{ toolCallId: 'c2', isError: true }],
    ])
    expect(messageText(out[1]!)).toMatch(/interrupted/)
    expect(out[1]).toMatchObject({ role: 'user', source: { kind: 'tool', callId: 'c0' } })
    expect(changes).toEqual([
      { kind: 'result-added', messageId: 'a', callId: 'c0' },
      { kind: 'result-added', messageId: 'a', callId: 'c2' },
    ])
  })

  it('for nobody are left out: without a call, before it, or a second time', () => {
    const messages = [answer('early', 'c0'), assistant('a', call('c0')), answer('r', 'c0'), answer('again', 'c0')]
    expect(outcome(messages)).toEqual({
      ids: ['a', 'r'],
      changes: [
        { kind: 'result-dropped', messageId: 'early', callId: 'c0' },
        { kind: 'result-dropped', messageId: 'again', callId: 'c0' },
      ],
    })
  })

  it('get a message of their own when they came with others or with text', () => {
    const both = user('u', text('before'), result('c1'), result('c0'), text('after'))
    const { messages: out, changes } = providerTranscript([assistant('a', call('c0'), call('c1')), both])
    expect(out.slice(1)).toMatchObject([
      { role: 'user', source: { kind: 'tool', callId: 'c0' }, content: [{ toolCallId: 'c0' }] },
      { role: 'user', source: { kind: 'tool', callId: 'c1' }, content: [{ toolCallId: 'c1' }] },
      { id: 'u', content: [text('before'), text('after')] },
    ])
    expect(out[1]!.content[0]).toBe(both.content[2])
    expect(changes).toEqual([
      { kind: 'result-split', messageId: 'u', callId: 'c1' },
      { kind: 'result-split', messageId: 'u', callId: 'c0' },
    ])
  })

  it('that a provider ran itself are taken out of the message that made the call', () => {
    const { messages: out } = providerTranscript([assistant('a', call('c0'), result('c0'), text('done'))])
    expect(out).toMatchObject([{ id: 'a', content: [call('c0'), text('done')] }, { content: [{ toolCallId: 'c0' }] }])
  })

  it('may hold nothing, or blank text: silent tools are no error', () => {
    const silent = [toolResultMessage(callId('c0'), []), toolResultMessage(callId('c0'), '')]
    for (const message of silent) {
      const messages = [assistant('a', call('c0')), message]
      expect(providerTranscript(messages)).toEqual({ messages, changes: [] })
    }
  })
})

describe('call ids', () => {
  it('may come back in a later turn and are paired turn by turn', () => {
    const messages = [assistant('a1', call('c0')), answer('r1', 'c0'), assistant('a2', call('c0')), answer('r2', 'c0')]
    expect(providerTranscript(messages)).toEqual({ messages, changes: [] })
  })

  it('pair with the nearest open call, and leave the aborted one of an earlier turn an error', () => {
    const messages = [assistant('a1', call('c0')), assistant('a2', call('c0')), answer('r', 'c0')]
    const { messages: out, changes } = providerTranscript(messages)
    expect(ids(out)).toEqual(['a1', 'a1#result-0', 'a2', 'r'])
    expect(changes).toEqual([{ kind: 'result-added', messageId: 'a1', callId: 'c0' }])
  })

  it('that occur twice in one message keep the first call and the first result', () => {
    const messages = [assistant('a', call('c0'), call('c0')), answer('r', 'c0'), answer('r2', 'c0')]
    const { messages: out, changes } = providerTranscript(messages)
    expect(ids(out)).toEqual(['a', 'r'])
    expect(toolCalls(out[0]!).length).toBe(1)
    expect(changes).toEqual([
      { kind: 'call-dropped', messageId: 'a', callId: 'c0' },
      { kind: 'result-dropped', messageId: 'r2', callId: 'c0' },
    ])
  })

  it.each(['__proto__', 'constructor', '\ud800', ''])('may be any string (%j)', id => {
    const odd = id as ReturnType<typeof callId>
    const messages = [
      assistant('a', { type: 'tool-call', id: odd, name: 'f', arguments: '' }),
      toolResultMessage(odd, 'r'),
    ]
    expect(providerTranscript(messages)).toEqual({ messages, changes: [] })
  })

  it('of calls that somebody else than an assistant claims to have made are left out', () => {
    expect(outcome([user('u', text('hi'), call('c0')), answer('r', 'c0')])).toEqual({
      ids: ['u'],
      changes: [
        { kind: 'call-dropped', messageId: 'u', callId: 'c0' },
        { kind: 'result-dropped', messageId: 'r', callId: 'c0' },
      ],
    })
  })
})

describe('messages that say nothing', () => {
  it.each([
    ['empty', []],
    ['reasoning-only', [reasoning(), reasoning()]],
    ['blank', [text(''), text(' \n')]],
    ['reasoning and blank', [reasoning(), text('\n')]],
  ])('are left out when they are an assistant’s and %s', (_, content) => {
    const messages = [user('u', text('go')), assistant('a', ...content), user('u2', text('again'))]
    expect(outcome(messages)).toEqual({ ids: ['u', 'u2'], changes: [{ kind: 'message-dropped', messageId: 'a' }] })
  })

  it('are left out when they are a user’s and empty or blank', () => {
    expect(outcome([user('u'), user('v', text('  '))]).changes).toEqual([
      { kind: 'message-dropped', messageId: 'u' },
      { kind: 'message-dropped', messageId: 'v' },
    ])
  })

  it('stay when they hold a call, an image or a block of unknown kind', () => {
    const image: ContentBlock = { type: 'image', mediaType: 'image/png', ref: 'r' }
    const messages = [
      assistant('a', reasoning(), call('c0')),
      answer('r', 'c0'),
      user('u', image),
      assistant('b', unknown()),
    ]
    expect(providerTranscript(messages)).toEqual({ messages, changes: [] })
  })
})

describe('parts of messages', () => {
  it('reasoning is kept where something follows it and left out where nothing does', () => {
    const { messages: out, changes } = providerTranscript([
      assistant('a', reasoning(), text('t'), reasoning(), text(' ')),
    ])
    expect(out).toMatchObject([{ id: 'a', content: [reasoning(), text('t')] }])
    expect(changes).toEqual([
      { kind: 'text-dropped', messageId: 'a' },
      { kind: 'reasoning-dropped', messageId: 'a' },
    ])
  })

  it('text is left verbatim, with lone surrogates and outer white space', () => {
    const messages = [user('u', text('\ud800 x\n')), assistant('a', text(' \udfff\u0000'))]
    expect(providerTranscript(messages)).toEqual({ messages, changes: [] })
  })

  it('a message that lost some keeps id, source and envelope, and what is made anew is frozen', () => {
    const message = userMessage([text('hi'), text('')], {
      envelope: { label: 'l' },
      source: { kind: 'plugin', plugin: 'p' },
    })
    const { messages: out } = providerTranscript([
      message,
      assistant('a', call('c0'), call('c1')),
      user('u', result('c0'), text('x')),
    ])
    expect(out[0]).toEqual({ ...message, content: [text('hi')] })
    expect(out.map(message => firstUnfrozen(message))).toEqual(out.map(() => undefined))
  })
})

it('takes a history of any size in one pass: ten thousand open calls of one id', () => {
  const messages = Array.from({ length: 10_000 }, (_, at) => assistant(`a${at}`, call('c0')))
  const answers = messages.map((_, at) => answer(`r${at}`, 'c0'))
  const { messages: out } = providerTranscript([...messages, ...answers])
  expect(out.length).toBe(20_000)
  expect(ids(out.slice(0, 2))).toEqual(['a0', 'r9999'])
  expect(ids(out.slice(-2))).toEqual(['a9999', 'r0'])
})
