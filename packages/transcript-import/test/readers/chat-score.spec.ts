import { describe, expect, it } from 'vitest'
import { scoreMessages } from '../../src/readers/chat-score.js'

const plain = [
  { role: 'user', content: 'a' },
  { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
]
const scores = (values: unknown[]) => [
  scoreMessages(values as never, 'openai'),
  scoreMessages(values as never, 'anthropic'),
]

describe('scoreMessages', () => {
  it('takes a list that fits both APIs for one of OpenAI', () => {
    expect(scores(plain)).toEqual([3, 2])
  })

  it('tells the APIs by what only one of them has', () => {
    expect(scores([...plain, { role: 'system', content: 'x' }])).toEqual([4, 0])
    expect(scores([...plain, { role: 'assistant', content: null, tool_calls: [] }])).toEqual([4, 0])
    expect(scores([...plain, { role: 'user', content: [{ type: 'image_url' }] }])).toEqual([4, 0])
    expect(scores([...plain, { role: 'user', content: [{ type: 'tool_result' }] }])).toEqual([0, 3])
    expect(scores([...plain, { role: 'assistant', content: [{ type: 'thinking' }] }])).toEqual([0, 3])
  })

  it('counts nothing that is no message of theirs', () => {
    expect(
      scores([1, null, 'x', {}, { role: 'user' }, { role: 'user', content: 5 }, { role: 'user', content: ['x'] }]),
    ).toEqual([0, 0])
    expect(scores([{ type: 'message', role: 'user', content: 'x' }])).toEqual([0, 0])
  })
})
