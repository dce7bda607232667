import { exportTranscript, importTranscript } from '@dsh/transcript-import'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, message, sessionOf } from '../support/sessions.js'

const hide = (text: string) => text.replaceAll('secret', '***')
const append = { surfaceOp: 'append' }
const place = { turn: 1, step: 1 }
const model = { kind: 'model', provider: 'p', model: 'm' }
const chunk = (value: object) => ['assistant/chunk', { ...place, chunk: value }] as const
const delta = (text: string, index = 0) => chunk({ type: 'text-delta', index, text })

async function redacted(...events: readonly Entry[]) {
  const text = exportTranscript(sessionOf(...events), 'jsonl', { redact: hide })
  const { sessions } = await importTranscript(text)
  return { text, session: sessions[0]! }
}

describe('redacted JSONL', () => {
  it('hides a secret that was streamed in pieces', async () => {
    const { text, session } = await redacted(
      delta('a se'),
      delta('other', 1),
      delta('cret b'),
      chunk({ type: 'tool-call-delta', index: 2, id: 'c', argumentsDelta: '{"p":"sec' }),
      chunk({ type: 'tool-call-delta', index: 2, id: 'c', argumentsDelta: 'ret"}' }),
      chunk({ type: 'block-end', index: 0, block: { type: 'text', text: 'a secret b' } }),
    )
    const chunks = session.events.map(({ data }) => (data as { chunk: Record<string, unknown> }).chunk)
    expect(chunks.map(each => each.text ?? each.argumentsDelta)).toEqual([
      'a *** b',
      'other',
      '',
      '{"p":"***"}',
      '',
      undefined,
    ])
    expect(text).not.toMatch(/sec|ret/)
  })

  it('leaves streams that say nothing secret as they were streamed', async () => {
    const { session } = await redacted(delta('a'), delta('b'), delta('c'))
    expect(session.events.map(({ data }) => (data as { chunk: { text: string } }).chunk.text)).toEqual(['a', 'b', 'c'])
  })

  it('hides what any event says, and keeps the log valid', async () => {
    const call = { type: 'tool-call', id: 'c', name: 'n', arguments: '{"p":"secret"}' }
    const result = { type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: 'secret' }] }
    const config = { provider: 'p', model: 'm' }
    const origin = { format: 'pi', line: 1 }
    const { text, session } = await redacted(
      ['turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user', note: 'secret' } } }],
      ['user/message', message('user', 'secret'), append],
      ['request/header', { header: { config, system: 'secret' }, reason: 'initial' }],
      ['assistant/message', { ...place, message: { ...message('assistant', 'x', model), content: [call] } }, append],
      ['tool/call', { ...place, callId: 'c', name: 'n', arguments: '{"p":"secret"}' }],
      [
        'tool/result',
        {
          ...place,
          message: { ...message('user', 'r', { kind: 'tool', callId: 'c' }), content: [result] },
          meta: { secret: 'secret' },
        },
        append,
      ],
      ['steering/message', { turn: 1, message: message('user', 'a secret') }, append],
      chunk({
        type: 'finish',
        reason: { kind: 'error', failure: { message: 'secret', code: 'X' } },
        replayState: ['secret'],
      }),
      ['todo/write', { todos: [{ content: 'secret', status: 'pending' }] }],
      ['turn/end', { turn: 1, reason: { kind: 'error', step: 1, message: 'secret' } }],
      ['import/record', { origin, kind: 'k', record: { secret: ['secret'] } }],
      ['import/note', { origin, about: 'a', text: 'secret' }],
      ['import/damaged', { origin, reason: 'r', text: 'secret', bytes: 6 }],
      ['plugin/fact', { secret: 'secret' }],
    )
    expect(text).not.toContain('secret')
    expect(session.seq).toBe(14)
  })

  it('hides a secret however it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 6 }), async cuts => {
        const whole = 'the secret is secret'
        const ends = [0, ...cuts.map(cut => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
        const { session } = await redacted(...ends.slice(1).map((end, index) => delta(whole.slice(ends[index], end))))
        const streamed = session.events.map(({ data }) => (data as { chunk: { text: string } }).chunk.text).join('')
        expect(streamed).toBe('the *** is ***')
      }),
      { numRuns: 40 },
    )
  })
})
