import { describe, expect, it } from 'vitest'
import { brief, course } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

const message = (role: string, ...content: object[]) => ({ role, created: 1_650_000_000, content })
const text = (value: string) => ({ type: 'text', text: value })

describe('the goose reader', () => {
  it('reads a session', async () => {
    const { session, report } = await read(samples.goose, { provider: 'p' })
    expect(report.format).toBe('goose')
    expect(session.header.cwd).toBe('/w')
    expect(brief(session)).toEqual([
      'rest metadata {"description":"d","message_count":4}',
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'answer: read#t1 {"p":1}',
      'call t1',
      'result t1: ok',
      'step 1.1 ends',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      'turn 1 ends completed',
    ])
    expect(session.eventAt(1).time).toBe(1_000)
  })

  it('reads errors, images, thinking and other content', async () => {
    const { session } = await read(
      lines(
        { tools: [{ name: 'f', description: 'd', input_schema: {} }] },
        message('user', text('a'), { type: 'image', data: 'AA', mimeType: 'image/png' }),
        message(
          'assistant',
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'toolRequest', id: '1', toolCall: { status: 'error', error: 'bad json' } },
          { type: 'toolRequest', id: '2', toolCall: { status: 'success', value: { name: 'f', arguments: {} } } },
          ...['3', '4', '5'].map(id => ({ type: 'toolRequest', id, toolCall: { value: { name: 'f' } } })),
        ),
        message(
          'user',
          { type: 'toolResponse', id: '1', toolResult: { status: 'error', error: 'failed' } },
          {
            type: 'toolResponse',
            id: '2',
            toolResult: { status: 'success', value: { content: [text('ok'), { type: 'resource' }] } },
          },
          {
            type: 'toolResponse',
            id: '3',
            toolResult: { value: { content: [{ ...text('no'), annotations: {} }], isError: true, more: 1 } },
          },
          { type: 'toolResponse', id: '4', toolResult: { value: [text('a'), text('b')] } },
          { type: 'toolResponse', id: '5' },
          text('quick'),
        ),
        message('assistant', { type: 'contextLengthExceeded', msg: 'x' }),
        message('system', text('x')),
      ),
    )
    expect(course(session).filter(line => /^(user|answer|error|result|steer|header)/.test(line))).toEqual([
      'user: a | <image/png AA>',
      'header initial unknown unknown',
      'answer: (hm) | unknown#1 {} | f#2 {} | f#3 {} | f#4 {} | f#5 {}',
      'error 1: failed',
      'result 2: ok | {"type":"resource"}',
      'error 3: no',
      'result 4: a | b',
      'result 5: ',
      'steer user: quick',
      'answer: ',
    ])
    expect(brief(session).filter(line => /^re(st|cord)/.test(line))).toEqual([
      'rest assistant {"content":{"0":{"signature":"s"},"1":{"toolCall":{"error":"bad json"}}}}',
      'rest user {"content":{"2":{"toolResult":{"value":{"content":{"0":{"annotations":{}}},"more":1}}}}}',
      'rest assistant {"content":{"0":{"type":"contextLengthExceeded","msg":"x"}}}',
      'record system {"role":"system","created":1650000000,"content":[{"type":"text","text":"x"}]}',
    ])
  })
})
