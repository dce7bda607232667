import type { Session } from '@dsh/session'
import { type Entry, message, sessionOf } from './sessions.js'

const append = { surfaceOp: 'append' }
const place = { turn: 1, step: 1 }
const model = { kind: 'model', provider: 'p', model: 'm' }

/** Message event of the model, with any blocks. */
export function answer(content: readonly object[], options: { usage?: object; marker?: object } = {}): Entry {
  const { usage, marker = append } = options
  const said = { id: 'a', role: 'assistant', source: model, content }
  return ['assistant/message', { ...place, message: said, ...(usage !== undefined && { usage }) }, marker]
}

/** A call block. */
export function call(id: string, name = 'read', args = '{"path":"a"}') {
  return { type: 'tool-call', id, name, arguments: args }
}

/** Result event of a call. */
export function result(callId: string, content: readonly object[], isError?: boolean, marker: object = append): Entry {
  const block = { type: 'tool-result', toolCallId: callId, content, ...(isError !== undefined && { isError }) }
  const source = { kind: 'tool', callId }
  return ['tool/result', { ...place, message: { id: `r${callId}`, role: 'user', source, content: [block] } }, marker]
}

export function text(value: string) {
  return { type: 'text', text: value }
}

export function start(turn: number, source: object = { kind: 'user' }): Entry {
  return ['turn/start', { turn, trigger: { kind: 'message', source } }]
}

export function end(turn: number, reason: object = { kind: 'completed' }): Entry {
  return ['turn/end', { turn, reason }]
}

/** Two turns; a compaction between them has hidden the first. */
export function story(): Session {
  const config = { provider: 'p', model: 'm', reasoningEffort: 'high' }
  return sessionOf(
    start(1),
    ['user/message', message('user', 'Read the file'), append],
    ['request/header', { header: { config, system: 'be brief' }, reason: 'initial' }],
    ['step/start', place],
    answer([{ type: 'reasoning', text: 'hm' }, text('I look.'), call('c')], {
      usage: { inputTokens: 1200, outputTokens: 30, reasoningTokens: 4 },
    }),
    ['tool/call', { ...place, callId: 'c', name: 'read', arguments: '{"path":"a"}' }],
    result('c', [text('lorem\n'.repeat(20))], true),
    ['step/end', place],
    end(1),
    [
      'user/message',
      message('user', 'What went before', { kind: 'plugin', plugin: 'compaction' }),
      { surfaceOp: { op: 'replace', start: 1, end: 6 }, sourceEventSeqs: [1, 4, 6] },
    ],
    ['plugin/fact', { a: 1 }],
    start(2),
    ['user/message', message('user', 'And now?'), append],
    ['steering/message', { turn: 2, message: message('user', 'Be quick') }, append],
    ['import/note', { about: 'x', text: 'A remark' }],
    end(2, { kind: 'error', step: 1, message: 'it broke' }),
  )
}
