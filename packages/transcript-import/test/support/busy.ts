import type { TranscriptFormat } from '@dsh/transcript-import'
import { lines } from './read.js'
import { claude, claudeMessage, codex, pi } from './samples.js'

const result = (id: string, content: unknown, more: object = {}) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }, ...[more].filter(item => 'type' in item)],
})
const use = (id: string, name = 'Read') => ({ type: 'tool_use', id, name, input: { p: id } })
const text = (value: string) => ({ type: 'text', text: value })

/** Transcripts in which most of what a format can hold happens. */
export const busy: Partial<Readonly<Record<TranscriptFormat, string>>> = {
  'claude-code': lines(
    { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
    claude('user', 'u1', null, { role: 'user', content: 'first' }),
    claude('assistant', 'a1', 'u1', claudeMessage('m1', use('t1', 'Task'))),
    claude('assistant', 'a2', 'a1', claudeMessage('m1', use('t2'))),
    claude('user', 'r2', 'a2', result('t2', 'two'), { toolUseResult: { n: 2 } }),
    claude('user', 's1', null, { role: 'user', content: 't1' }, { isSidechain: true }),
    claude('assistant', 's2', 's1', claudeMessage('m9', text('side')), { isSidechain: true }),
    claude('user', 'r1', 'a1', result('t1', [text('one')], text('and this'))),
    {
      ...claude('progress', 'p1', 'r1', undefined),
      parentToolUseID: 't1',
      data: {
        type: 'agent_progress',
        agentId: 'ag',
        message: claude('user', 'q1', null, { role: 'user', content: 'go' }),
      },
    },
    {
      ...claude('progress', 'p2', 'p1', undefined),
      parentToolUseID: 't1',
      data: {
        type: 'agent_progress',
        agentId: 'ag',
        message: claude('assistant', 'q2', null, claudeMessage('m8', use('t9'))),
      },
    },
    claude('assistant', 'a3', 'r1', claudeMessage('m2', text('done'))),
    claude('user', 'u2', 'a3', { role: 'user', content: 'left' }),
    claude('assistant', 'a4', 'u2', claudeMessage('m3', text('left done'))),
    claude('user', 'u3', 'a3', { role: 'user', content: [text('right')] }),
    claude('assistant', 'a5', 'u3', claudeMessage('m4', use('t3'))),
    claude('user', 'i1', 'a5', { role: 'user', content: [text('[Request interrupted by user for tool use]')] }),
    { ...claude('system', 'c1', null, undefined), subtype: 'compact_boundary', logicalParentUuid: 'i1' },
    claude('user', 'c2', 'c1', { role: 'user', content: 'summary' }, { isCompactSummary: true }),
    claude('user', 'x1', 'c2', { role: 'user', content: 'caveat' }, { isMeta: true }),
    claude('user', 'u4', 'x1', { role: 'user', content: 'again' }),
    claude('assistant', 'a6', 'u4', claudeMessage('e', text('API Error')), { isApiErrorMessage: true }),
  ),
  codex: lines(
    codex('session_meta', {
      id: 's',
      timestamp: '2026-01-01T00:00:00Z',
      source: { subagent: { thread_spawn: { depth: 2 } } },
    }),
    codex('event_msg', { type: 'task_started', turn_id: 't', model_context_window: 1000 }),
    codex('turn_context', { model: 'gpt', effort: 'low' }),
    codex('response_item', { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }),
    codex('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }),
    codex('response_item', { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** Begin' }),
    codex('response_item', { type: 'function_call', call_id: 'c2', name: 'shell', arguments: '{}' }),
    codex('response_item', { type: 'function_call_output', call_id: 'c2', output: { content: 'no', success: false } }),
    codex('event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
    codex('response_item', {
      type: 'custom_tool_call_output',
      call_id: 'c1',
      output: [{ type: 'input_text', text: 'ok' }],
    }),
    codex('event_msg', { type: 'token_count', info: { last_token_usage: { input_tokens: 5, output_tokens: 2 } } }),
    codex('compacted', { message: '', replacement_history: [{ type: 'message', role: 'user', content: 'kept' }] }),
    codex('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }),
    codex('event_msg', { type: 'task_complete', error: { message: 'broke' } }),
    codex('compacted', { message: ' ' }),
  ),
  pi: lines(
    { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/w' },
    { type: 'model_change', id: 'mc', parentId: null, timestamp: '2026-01-01T00:00:00Z', provider: 'p', modelId: 'm' },
    pi('u1', 'mc', { role: 'user', content: 'first' }),
    pi('a1', 'u1', {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 't1', name: 'x', arguments: {} }],
      stopReason: 'aborted',
    }),
    pi('u2', 'a1', { role: 'user', content: 'second' }),
    pi('a2', 'u2', { role: 'assistant', content: [{ type: 'toolCall', id: 't2', name: 'x', arguments: {} }] }),
    pi('r2', 'a2', { role: 'toolResult', toolCallId: 't2', content: [text('ok')] }),
    pi('a3', 'r2', { role: 'assistant', content: [text('done')], stopReason: 'length' }),
    {
      type: 'compaction',
      id: 'co',
      parentId: 'a3',
      timestamp: '2026-01-01T00:00:09Z',
      summary: 'sum',
      firstKeptEntryId: 'r2',
    },
    pi('u3', 'co', { role: 'user', content: 'left' }),
    pi('u4', 'co', { role: 'user', content: 'right' }),
    pi('b4', 'u4', { role: 'bashExecution', command: 'ls', output: 'a' }),
    { type: 'label', id: 'la', parentId: 'b4', timestamp: '2026-01-01T00:00:10Z', targetId: 'u4', label: 'here' },
  ),
  openhands: JSON.stringify([
    {
      kind: 'SystemPromptEvent',
      id: 'e0',
      timestamp: '2026-01-01T00:00:00',
      source: 'agent',
      system_prompt: { type: 'text', text: 'rules' },
    },
    {
      kind: 'MessageEvent',
      id: 'e1',
      timestamp: '2026-01-01T00:00:01',
      source: 'user',
      llm_message: { role: 'user', content: [text('hello')] },
    },
    action('e2', 't1', 'r1'),
    action('e3', 't2', 'r1'),
    observation('e4', 't2'),
    observation('e5', 't1'),
    {
      kind: 'Condensation',
      id: 'e6',
      timestamp: '2026-01-01T00:00:06',
      source: 'environment',
      forgotten_event_ids: ['e2', 'e4'],
      summary: 'sum',
    },
    {
      kind: 'AgentErrorEvent',
      id: 'e7',
      timestamp: '2026-01-01T00:00:07',
      source: 'agent',
      tool_call_id: 't9',
      error: 'no',
    },
    { kind: 'PauseEvent', id: 'e8', timestamp: '2026-01-01T00:00:08', source: 'user' },
  ]),
}

function action(id: string, callId: string, responseId: string) {
  return {
    kind: 'ActionEvent',
    id,
    timestamp: '2026-01-01T00:00:02',
    source: 'agent',
    thought: [text('hm')],
    tool_name: 'terminal',
    tool_call_id: callId,
    tool_call: { id: callId, name: 'terminal', arguments: '{}' },
    llm_response_id: responseId,
  }
}

function observation(id: string, callId: string) {
  return {
    kind: 'ObservationEvent',
    id,
    timestamp: '2026-01-01T00:00:03',
    source: 'environment',
    tool_call_id: callId,
    observation: { kind: 'TerminalObservation', content: [text('ok')] },
  }
}
