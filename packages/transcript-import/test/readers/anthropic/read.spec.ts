import { describe, expect, it } from 'vitest'
import { brief } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })

describe('the Anthropic reader', () => {
  it('reads a request with its messages', async () => {
    const { session, report } = await read(samples.anthropic)
    expect(report.format).toBe('anthropic')
    expect(brief(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'header initial anthropic claude "rules"',
      'answer: read#t1 {"p":1}',
      'call t1',
      'result t1: ok',
      'step 1.1 ends',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      'turn 1 ends completed',
    ])
  })

  it('reads parallel results, and what a person said beside them', async () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
    const { session } = await read(
      JSON.stringify([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [use('1'), use('2')] },
        { role: 'user', content: [result('2', 'two'), { type: 'text', text: 'faster' }, result('1', 'one')] },
      ]),
    )
    expect(brief(session).slice(4, 10)).toEqual([
      'call 1',
      'call 2',
      'result 2: two',
      'result 1: one',
      'step 1.1 ends',
      'steer user: faster',
    ])
  })

  it('reads a message a line, with what an API response tells of itself', async () => {
    const { session } = await read(
      lines(
        { role: 'user', content: [{ type: 'text', text: 'a' }] },
        {
          role: 'assistant',
          model: 'm',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'text', text: 'b' },
          ],
          usage: { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7, service_tier: 'x' },
          stop_reason: 'max_tokens',
        },
      ),
    )
    expect(brief(session).slice(3)).toEqual([
      'answer: (hm) | b',
      'step 1.1 ends',
      'rest assistant {"content":{"0":{"signature":"s"}},"usage":{"service_tier":"x"}}',
      'turn 1 ends max-tokens',
    ])
    expect(session.eventAt(3)).toMatchObject({
      data: { usage: { inputTokens: 5, outputTokens: 6, cacheReadTokens: 7 }, message: { source: { model: 'm' } } },
    })
  })

  it('joins a system prompt of blocks, and keeps what is no message', async () => {
    const { session } = await read(
      JSON.stringify({
        system: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
        ],
        metadata: { user_id: 'u' },
        messages: [
          { role: 'user', content: [result('x', 'orphan')] },
          { role: 'assistant', content: 'b' },
          5,
          { role: 'x', content: 'y' },
        ],
      }),
    )
    expect(brief(session)).toEqual([
      'rest request {"system":{"1":{"cache_control":{"type":"ephemeral"}}},"metadata":{"user_id":"u"}}',
      'rest unpaired result {"callId":"x","content":[{"type":"text","text":"orphan"}]}',
      'turn 1 by unrecorded',
      'step 1.1',
      'header initial anthropic unknown "a\n\nb"',
      'answer: b',
      'step 1.1 ends',
      'record record 5',
      'record x {"role":"x","content":"y"}',
      'turn 1 ends completed',
    ])
  })
})
