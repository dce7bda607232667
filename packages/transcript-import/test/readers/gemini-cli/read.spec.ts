import { describe, expect, it } from 'vitest'
import { brief, course } from '../../support/brief.js'
import { read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

const chat = (...messages: object[]) =>
  JSON.stringify({ sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00Z', messages })

describe('the Gemini CLI reader', () => {
  it('reads a chat, whose answers hold their calls and results', async () => {
    const { session, report } = await read(samples['gemini-cli'])
    expect(report.format).toBe('gemini-cli')
    expect(session.header).toMatchObject({ id: 's', createdAt: Date.UTC(2026, 0, 1) })
    expect(course(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'answer: (Think\n\nhm) | done | read#t1 {"p":1}',
      'call t1',
      'result t1: ok',
      'step 1.1 ends',
      'turn 1 ends interrupted',
    ])
    expect([...session].find(({ type }) => type === 'assistant/message')?.data).toMatchObject({
      message: { source: { provider: 'google', model: 'gemini' } },
      usage: { inputTokens: 6, outputTokens: 2, cacheReadTokens: 4, reasoningTokens: 3 },
    })
  })

  it('reads failed calls, calls without a result, and content in parts', async () => {
    const call = (id: string, more: object) => ({ id, name: 'f', args: {}, ...more })
    const response = (value: unknown) => [{ functionResponse: { response: value } }]
    const { session } = await read(
      chat(
        { type: 'user', content: [{ text: 'a' }, { inlineData: {} }] },
        {
          type: 'gemini',
          content: '',
          model: 'g',
          toolCalls: [
            call('1', { status: 'error', result: response({ error: 'no' }), resultDisplay: 'No!' }),
            call('2', { status: 'cancelled', result: response({ x: 1 }) }),
            call('3', { status: 'success' }),
            call('4', { result: [...response({ output: 'out' }), ...response({ output: 'o', exit: 1 }), { x: 1 }] }),
            call('5', { result: [{ functionResponse: { id: '5', name: 'f', response: { output: 'o' }, parts: [] } }] }),
          ],
        },
      ),
    )
    expect(course(session).filter(line => /^(error|result|answer|user)/.test(line))).toEqual([
      'user: a',
      'answer: f#1 {} | f#2 {} | f#3 {} | f#4 {} | f#5 {}',
      'error 1: no',
      'error 2: {"x":1}',
      'result 4: out | {"output":"o","exit":1} | {"x":1}',
      'result 5: {"functionResponse":{"id":"5","name":"f","response":{"output":"o"},"parts":[]}}',
      expect.stringMatching(/^error 3 TOOL_OUTCOME_UNKNOWN/),
    ])
    expect([...session].find(({ type }) => type === 'tool/result')?.data).toMatchObject({
      meta: { resultDisplay: 'No!' },
    })
  })

  it('keeps what the terminal showed beside the conversation', async () => {
    const { session } = await read(
      chat({ type: 'info', content: 'update' }, { type: 'error', content: 'oops' }, { type: 'user', content: 'a' }),
    )
    expect(brief(session).filter(line => line.startsWith('record'))).toEqual([
      'record info {"type":"info","content":"update"}',
      'record error {"type":"error","content":"oops"}',
    ])
  })
})
