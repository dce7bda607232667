import { describe, expect, it } from 'vitest'
import { brief } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

describe('the OpenAI reader', () => {
  it('reads a list of messages', async () => {
    const { session, report } = await read(samples.openai)
    expect(report.format).toBe('openai')
    expect(brief(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'header initial unknown unknown "rules"',
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

  it('takes the route from the request, and else from the caller', async () => {
    const tools = [{ type: 'function', function: { name: 'read', description: 'd', parameters: {} } }]
    const request = {
      model: 'm',
      tools,
      reasoning_effort: 'low',
      stream: true,
      messages: [{ role: 'assistant', content: 'a' }],
    }
    const { session } = await read(JSON.stringify(request), { provider: 'p', model: 'other' })
    expect(session.requestHeader()).toEqual({
      config: { provider: 'p', model: 'm', reasoningEffort: 'low' },
      tools: [{ name: 'read', description: 'd', parameters: {} }],
    })
    expect(brief(session)[0]).toBe('rest request {"stream":true}')
  })

  it('puts a system message in between into the history, as nobody typed it', async () => {
    const { session } = await read(
      lines(
        { role: 'system', content: [{ type: 'text', text: 'rules' }] },
        { role: 'user', content: 'a', name: 'ann' },
        { role: 'assistant', content: 'b', reasoning_content: 'hm' },
        { role: 'developer', content: 'more rules' },
        { role: 'user', content: 'c' },
      ),
    )
    expect(brief(session).slice(1)).toEqual([
      'user: a',
      'rest user {"name":"ann"}',
      'step 1.1',
      'header initial unknown unknown "rules"',
      'answer: (hm) | b',
      'step 1.1 ends',
      'developer: more rules',
      'turn 1 ends completed',
      'turn 2 by user',
      'user: c',
      'turn 2 ends interrupted',
    ])
  })

  it('pairs the calls of the first form by name, and reads an error', async () => {
    const { session } = await read(
      lines(
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'ok' },
        { role: 'assistant', content: null, tool_calls: [{ id: '1', function: { name: 'g', arguments: '' } }] },
        { role: 'tool', tool_call_id: '1', content: 'no', is_error: true },
        { role: 'function', name: 'unknown', content: 'x' },
      ),
    )
    expect(brief(session).filter(line => /^(result|error|record)/.test(line))).toEqual([
      'result openai:2: ok',
      'error 1: no',
      'record function {"role":"function","name":"unknown","content":"x"}',
    ])
  })

  it('keeps messages without content and values that are none', async () => {
    const { session, report } = await read(
      JSON.stringify([{ role: 'user', content: 'a' }, { role: 'user', content: '' }, 7]),
    )
    expect(brief(session).slice(2)).toEqual([
      'record user {"role":"user","content":""}',
      'record request 7',
      'turn 1 ends interrupted',
    ])
    expect(report.kinds).toEqual({
      request: { records: 1, kept: 1, partly: 0 },
      user: { records: 2, kept: 1, partly: 0 },
    })
  })
})
