import { type AssistantMessage, type ContentBlock, type Message, providerTranscript } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { explainChanges } from '../../src/reading/explain-changes.js'

const assistant = (...content: ContentBlock[]) =>
  ({ id: 'a', role: 'assistant', source: { kind: 'model' }, content }) as unknown as AssistantMessage
const user = (...content: ContentBlock[]) =>
  ({ id: 'u', role: 'user', source: { kind: 'user' }, content }) as unknown as Message
const call = (id: string) => ({ type: 'tool-call', id, name: 'read', arguments: '{}' }) as ContentBlock
const result = (id: string) => ({ type: 'tool-result', toolCallId: id, content: [] }) as unknown as ContentBlock
const text = (text: string): ContentBlock => ({ type: 'text', text })
const reasoning: ContentBlock = { type: 'reasoning', text: 'Hm.' }

const explain = (...messages: Message[]) => explainChanges(providerTranscript(messages).changes)

describe('explainChanges', () => {
  it.each([
    ['result-added', [assistant(call('c'))], 'a tool call without a result'],
    ['result-moved', [assistant(call('c')), user(text('Wait.')), user(result('c'))], 'moves directly behind its call'],
    ['result-split', [assistant(call('c')), user(result('c'), text('And?'))], 'a message of its own'],
    ['result-dropped', [user(text('Hi.')), user(result('c'))], 'that no call waits for'],
    ['call-dropped', [assistant(call('c'), call('c')), user(result('c'))], 'the id of another'],
    ['text-dropped', [user(text('Hi.'), text(' '))], 'blank text'],
    ['reasoning-dropped', [assistant(text('Yes.'), reasoning)], 'reasoning that nothing follows'],
    ['message-dropped', [user(text(''))], 'without any other content'],
  ] as const)('says what %s means, and that it is no damage', (kind, messages, words) => {
    const explained = explain(...messages)
    expect(explained).toMatch(/^This is no damage: .*\.$/)
    expect(explained).toContain(words)
    expect(explained).toContain(`(${kind}, 1 time)`)
  })

  it('tells each kind once, with how often', () => {
    const explained = explain(assistant(call('a'), call('b'), text(' ')))
    expect(explained).toMatch(/log, which stays as it is: .* \(text-dropped, 1 time\); .* \(result-added, 2 times\)\.$/)
  })

  it('has nothing to say of messages that providers take', () => {
    expect(explain(user(text('Hi.')), assistant(call('c')), user(result('c')))).toBeUndefined()
  })
})
