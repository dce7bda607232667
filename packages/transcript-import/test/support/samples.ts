import type { TranscriptFormat } from '@dsh/transcript-import'
import { lines } from './read.js'

/** A small transcript of each format, with a prompt, a call, its result and an answer. */
export const samples: Readonly<Record<TranscriptFormat, string>> = {
  jsonl: lines(
    { type: 'session', version: 1, id: 's', createdAt: 5, cwd: '/w' },
    { type: 'turn/start', seq: 0, time: 5, data: { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } } },
    {
      type: 'user/message',
      seq: 1,
      time: 6,
      surfaceOp: 'append',
      data: { id: 'u', role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: 'hello' }] },
    },
    { type: 'turn/end', seq: 2, time: 7, data: { turn: 1, reason: { kind: 'interrupted' } } },
  ),
  'deepseek-harness': lines(
    { type: 'session', version: 0, id: 's', createdAt: 5, cwd: '/w' },
    { type: 'turn/start', seq: 0, time: 5, data: { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } } },
    {
      type: 'user/message',
      seq: 1,
      time: 6,
      surfaceOp: 'append',
      data: { content: [{ type: 'text', text: 'hello' }], source: { kind: 'user' } },
    },
    { type: 'step/start', seq: 2, time: 7, data: { turn: 1, step: 1 } },
    {
      type: 'text-chunks',
      seq0: 3,
      time0: 8,
      data: { turn: 1, step: 1, index: 0, dt: [1], texts: ['he', 'y'] },
    },
    {
      type: 'assistant/message',
      seq: 5,
      time: 9,
      surfaceOp: 'append',
      sourceEventSeqs: [3, 4],
      data: { turn: 1, step: 1, content: [{ type: 'text', text: 'hey' }] },
    },
    { type: 'step/end', seq: 6, time: 9, data: { turn: 1, step: 1 } },
    { type: 'turn/end', seq: 7, time: 9, data: { turn: 1, reason: { kind: 'completed' } } },
  ),
  'claude-code': lines(
    { type: 'summary', summary: 'Title', leafUuid: 'x' },
    claude('user', 'u1', null, { role: 'user', content: 'hello' }),
    claude('assistant', 'a1', 'u1', claudeMessage('m1', { type: 'thinking', thinking: 'hm', signature: 'sig' })),
    claude('assistant', 'a2', 'a1', claudeMessage('m1', { type: 'tool_use', id: 't1', name: 'Read', input: { p: 1 } })),
    claude('user', 'r1', 'a2', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] }),
    claude('assistant', 'a3', 'r1', claudeMessage('m2', { type: 'text', text: 'done' })),
  ),
  codex: lines(
    codex('session_meta', { id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/w', model_provider: 'openai' }),
    codex('turn_context', { model: 'gpt', effort: 'low', cwd: '/w' }),
    codex('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }),
    codex('response_item', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }),
    codex('response_item', { type: 'function_call', call_id: 't1', name: 'shell', arguments: '{"p":1}' }),
    codex('response_item', { type: 'function_call_output', call_id: 't1', output: 'ok' }),
    codex('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }),
    codex('event_msg', { type: 'task_complete', last_agent_message: 'done' }),
  ),
  pi: lines(
    { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/w' },
    pi('u1', null, { role: 'user', content: 'hello' }),
    pi('a1', 'u1', {
      role: 'assistant',
      provider: 'p',
      model: 'm',
      content: [{ type: 'toolCall', id: 't1', name: 'read', arguments: { p: 1 } }],
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 },
      stopReason: 'toolUse',
    }),
    pi('r1', 'a1', { role: 'toolResult', toolCallId: 't1', toolName: 'read', content: [text('ok')], isError: false }),
    pi('a2', 'r1', { role: 'assistant', provider: 'p', model: 'm', content: [text('done')], stopReason: 'stop' }),
  ),
  'gemini-cli': JSON.stringify(
    {
      sessionId: 's',
      projectHash: 'h',
      startTime: '2026-01-01T00:00:00Z',
      messages: [
        { id: '1', timestamp: '2026-01-01T00:00:01Z', type: 'user', content: 'hello' },
        {
          id: '2',
          timestamp: '2026-01-01T00:00:02Z',
          type: 'gemini',
          content: 'done',
          model: 'gemini',
          thoughts: [{ subject: 'Think', description: 'hm' }],
          tokens: { input: 10, output: 2, cached: 4, thoughts: 3, tool: 0, total: 15 },
          toolCalls: [
            {
              id: 't1',
              name: 'read',
              args: { p: 1 },
              status: 'success',
              result: [{ functionResponse: { id: 't1', name: 'read', response: { output: 'ok' } } }],
            },
          ],
        },
      ],
    },
    null,
    2,
  ),
  openhands: JSON.stringify([
    { id: 0, timestamp: '2026-01-01T00:00:00.5', source: 'user', action: 'message', args: { content: 'hello' } },
    { id: 1, timestamp: '2026-01-01T00:00:01', source: 'agent', action: 'run', args: { command: 'ls', thought: 'hm' } },
    {
      id: 2,
      timestamp: '2026-01-01T00:00:02',
      source: 'agent',
      cause: 1,
      observation: 'run',
      content: 'ok',
      extras: { command: 'ls' },
    },
    { id: 3, timestamp: '2026-01-01T00:00:03', source: 'agent', action: 'finish', args: { thought: 'done' } },
  ]),
  'swe-agent': JSON.stringify({
    environment: 'e',
    history: [
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: 'hm',
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'bash', arguments: '{"p":1}' } }],
      },
      { role: 'tool', content: 'ok', tool_call_ids: ['t1'] },
    ],
    info: { exit_status: 'submitted' },
  }),
  goose: lines(
    { working_dir: '/w', description: 'd', message_count: 4 },
    goose('user', 1, { type: 'text', text: 'hello' }),
    goose('assistant', 2, {
      type: 'toolRequest',
      id: 't1',
      toolCall: { status: 'success', value: { name: 'read', arguments: { p: 1 } } },
    }),
    goose('user', 3, { type: 'toolResponse', id: 't1', toolResult: { status: 'success', value: [text('ok')] } }),
    goose('assistant', 4, { type: 'text', text: 'done' }),
  ),
  anthropic: JSON.stringify({
    model: 'claude',
    system: 'rules',
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: { p: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
      { role: 'assistant', content: 'done' },
    ],
  }),
  openai: JSON.stringify([
    { role: 'system', content: 'rules' },
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'read', arguments: '{"p":1}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: 'ok' },
    { role: 'assistant', content: 'done' },
  ]),
}

/** A line of Claude Code. */
export function claude(type: string, uuid: string, parentUuid: string | null, message: unknown, more: object = {}) {
  const common = { sessionId: 's', cwd: '/w', version: '2', isSidechain: false }
  return { ...common, type, uuid, parentUuid, timestamp: `2026-01-01T00:00:${seconds(uuid)}Z`, message, ...more }
}

/** An API message of Claude Code, or a piece of one. */
export function claudeMessage(id: string, ...content: readonly unknown[]) {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content,
    usage: { input_tokens: 1, output_tokens: 2 },
  }
}

/** A line of Codex. */
export function codex(type: string, payload: unknown) {
  return { timestamp: '2026-01-01T00:00:01Z', type, payload }
}

/** A message entry of pi. */
export function pi(id: string, parentId: string | null, message: object) {
  return { type: 'message', id, parentId, timestamp: `2026-01-01T00:00:${seconds(id)}Z`, message }
}

function goose(role: string, created: number, ...content: readonly unknown[]) {
  return { role, created, content }
}

function text(value: string) {
  return { type: 'text', text: value }
}

/** A second of its own for each id, so that times can be told apart. */
function seconds(id: string): string {
  let sum = 0
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % 60
  return String(sum).padStart(2, '0')
}
