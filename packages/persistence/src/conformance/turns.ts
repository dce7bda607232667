import type { CallId } from '@dsh/llm'
import { assistantMessage, userMessage } from '@dsh/llm'
import type { Session } from '@dsh/session'

const route = { provider: 'p', model: 'm' }

/** Appends a whole turn: a prompt, an answer that was streamed in `chunks` deltas, and the end. */
export function addTurn(session: Session, turn: number, text = `prompt ${turn}`, chunks = 5): void {
  const sources = startTurn(session, turn, text, chunks)
  const message = assistantMessage('x'.repeat(chunks), route)
  session.append('assistant/message', { turn, step: 1, message }, { surfaceOp: 'append', sourceEventSeqs: sources })
  session.append('step/end', { turn, step: 1 })
  session.append('turn/end', { turn, reason: { kind: 'completed' } })
}

/** Appends a turn that stops while the first of two tools runs, as a crash leaves it. */
export function addInterruptedTurn(session: Session, turn: number, text = `prompt ${turn}`): void {
  const sources = startTurn(session, turn, text, 3)
  const calls = ['first', 'second'].map(id => ({
    type: 'tool-call' as const,
    id: id as CallId,
    name: 'run',
    arguments: '{}',
  }))
  const message = assistantMessage(calls, route)
  session.append('assistant/message', { turn, step: 1, message }, { surfaceOp: 'append', sourceEventSeqs: sources })
  session.append('tool/call', { turn, step: 1, callId: 'first' as CallId, name: 'run', arguments: '{}' })
}

function startTurn(session: Session, turn: number, text: string, chunks: number): number[] {
  session.append('turn/start', { turn, trigger: { kind: 'message', source: { kind: 'user' } } })
  session.append('user/message', userMessage(text), { surfaceOp: 'append' })
  session.append('step/start', { turn, step: 1 })
  return Array.from({ length: chunks }, () => {
    const chunk = { type: 'text-delta', index: 0, text: 'x' } as const
    return session.append('assistant/chunk', { turn, step: 1, chunk }).seq
  })
}
