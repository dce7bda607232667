import { describe, expect, it } from 'vitest'
import { brief, course, seen } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { codex, samples } from '../../support/samples.js'

const item = (payload: object) => codex('response_item', payload)
const user = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const says = (text: string) => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const call = (id: string) => item({ type: 'function_call', call_id: id, name: 'shell', arguments: '{}' })
const output = (id: string) => item({ type: 'function_call_output', call_id: id, output: id })
const event = (type: string, more: object = {}) => codex('event_msg', { type, ...more })
const tokens = (usage: object) => event('token_count', { info: { last_token_usage: usage, total_token_usage: usage } })

describe('the Codex reader', () => {
  it('reads a rollout', async () => {
    const { session, report } = await read(samples.codex)
    expect(report.format).toBe('codex')
    expect(session.header).toMatchObject({ id: 's', cwd: '/w', createdAt: Date.UTC(2026, 0, 1) })
    expect(course(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'header initial openai gpt',
      'answer: (hm) | shell#t1 {"p":1}',
      'call t1',
      'result t1: ok',
      'step 1.1 ends',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      'turn 1 ends completed',
    ])
  })

  it('tells responses apart: by results, by token counts, by what a person says', async () => {
    const { session } = await read(
      lines(
        user('a'),
        says('b'),
        call('1'),
        call('2'),
        output('2'),
        output('1'),
        says('c'),
        tokens({ input_tokens: 1 }),
        says('d'),
        user('e'),
        says('f'),
      ),
    )
    expect(course(session).filter(line => line.startsWith('answer'))).toEqual([
      'answer: b | shell#1 {} | shell#2 {}',
      'answer: c',
      'answer: d',
      'answer: f',
    ])
  })

  it('counts the tokens of a request with its response, each kind apart', async () => {
    const usage = {
      input_tokens: 100,
      cached_input_tokens: 60,
      output_tokens: 25,
      reasoning_output_tokens: 23,
      total_tokens: 125,
    }
    const { session } = await read(
      lines(user('a'), call('1'), output('1'), tokens(usage), tokens(usage), event('token_count', { info: null })),
    )
    const answer = [...session].find(({ type }) => type === 'assistant/message')
    expect(answer?.data).toMatchObject({
      usage: { inputTokens: 40, outputTokens: 2, cacheReadTokens: 60, reasoningTokens: 23 },
    })
    expect(brief(session).filter(line => line.startsWith('record event_msg/token_count'))).toHaveLength(2)
  })

  it('waits with the end of a turn for a result that comes behind it', async () => {
    const { session } = await read(
      lines(user('a'), call('1'), event('turn_aborted', { reason: 'interrupted' }), output('1'), says('b')),
    )
    expect(course(session).slice(4)).toEqual([
      'call 1',
      'note aborted: interrupted',
      'result 1: 1',
      'step 1.1 ends',
      'turn 1 ends aborted',
      'turn 2 by unrecorded',
      'step 2.1',
      'answer: b',
      'step 2.1 ends',
      'turn 2 ends completed',
    ])
  })

  it('ends a turn with the error that ended it', async () => {
    const { session } = await read(lines(user('a'), event('task_complete', { error: { message: 'no quota' } })))
    expect(course(session).at(-1)).toBe('turn 1 ends error 0 no quota')
  })

  it('records what the requests were made with, where it changes', async () => {
    const { session } = await read(
      lines(
        codex('session_meta', { id: 's', timestamp: '2026-01-01T00:00:00Z', base_instructions: { text: 'rules' } }),
        event('task_started', { model_context_window: 1000 }),
        codex('turn_context', { model: 'x', effort: 'low' }),
        codex('turn_context', { model: 'y', effort: 'low' }),
        user('a'),
        says('b'),
        event('task_complete'),
        codex('turn_context', { model: 'y', effort: 'high' }),
        says('c'),
      ),
    )
    expect(course(session).filter(line => line.startsWith('header'))).toEqual([
      'header initial openai y "rules"',
      'header change openai y "rules"',
    ])
    expect(session.requestHeader()?.config).toEqual({ provider: 'openai', model: 'y', reasoningEffort: 'high' })
    expect(session.requestContext()).toEqual({ provider: 'openai', model: 'y', contextWindow: 1000 })
    expect(brief(session)).toContain('rest turn_context {"payload":{"model":"x","effort":"low"}}')
  })

  it('replaces the history by that of a compaction', async () => {
    const history = [
      { type: 'message', role: 'user', content: 'kept' },
      { type: 'compaction', encrypted_content: 'secret' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'summary' }] },
    ]
    const { session } = await read(
      lines(user('a'), says('b'), codex('compacted', { message: '', replacement_history: history }), user('c')),
    )
    expect(seen(session)).toEqual(['user: kept', 'codex: summary', 'user: c'])
    expect(brief(session)).toContain(
      'rest compacted {"payload":{"replacement_history":{"1":{"type":"compaction","encrypted_content":"secret"},"2":{"role":"developer"}}}}',
    )
  })

  it('replaces the history by its summary, or by a remark where that is encrypted', async () => {
    const compacted = (payload: object) => read(lines(user('a'), says('b'), codex('compacted', payload)))
    expect(seen((await compacted({ message: 'sum' })).session)).toEqual(['codex: sum'])
    const encrypted = { message: '', replacement_history: [{ type: 'compaction', encrypted_content: 'x' }] }
    expect(seen((await compacted(encrypted)).session)).toEqual([expect.stringContaining('holds no summary')])
  })

  it('reads the first form of the file, which has no envelopes', async () => {
    const { session, report } = await read(
      lines(
        { id: 'old', timestamp: '2025-05-01T00:00:00.000Z', instructions: 'rules', git: {} },
        { record_type: 'state' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
        { record_type: 'state' },
        { type: 'function_call', call_id: '1', name: 'shell', arguments: '{}' },
        { type: 'function_call_output', call_id: '1', output: 'ok' },
      ),
    )
    expect(report.format).toBe('codex')
    expect(session.header).toMatchObject({ id: 'old', createdAt: Date.UTC(2025, 4, 1) })
    expect(seen(session)).toEqual(['user: a', 'model: shell#1 {}', 'tool: result#1 ok'])
    expect(report.kinds.state).toEqual({ records: 2, kept: 2, partly: 0 })
  })

  it('knows the parent of a sub-agent and of a fork, and that nobody typed what an agent is told', async () => {
    const meta = (more: object) => codex('session_meta', { id: 's', timestamp: '2026-01-01T00:00:00Z', ...more })
    const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 2 } } } }
    const agent = await read(lines(meta(spawned), user('a'), meta({ id: 'other' })))
    expect(agent.session.header).toMatchObject({ parentSession: 'p', delegationDepth: 2 })
    expect(course(agent.session)[0]).toBe('turn 1 by codex')
    expect(agent.report.kinds.session_meta).toEqual({ records: 2, kept: 1, partly: 1 })
    const fork = await read(lines(meta({ forked_from_id: 'q' }), user('a')))
    expect(fork.session.header).toMatchObject({ parentSession: 'q' })
    expect(fork.session.header.delegationDepth).toBeUndefined()
  })
})
