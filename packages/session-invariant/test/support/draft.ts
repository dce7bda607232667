import type {
  AssistantMessage,
  CallId,
  ContentBlock,
  MessageId,
  StreamChunk,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from '@dsh/llm'
import type { SessionEvent, SurfaceOp, TurnEndReason, TurnTrigger } from '@dsh/session'

/** An event without its place in a log. */
export interface Draft {
  readonly type: string
  readonly data: unknown
  readonly surfaceOp?: SurfaceOp
  readonly sourceEventSeqs?: readonly number[]
}

/** Numbers drafts into a log. */
export function logOf(...drafts: readonly Draft[]): SessionEvent[] {
  return drafts.map((draft, seq) => ({ ...draft, seq, time: 1_000 + seq }) as unknown as SessionEvent)
}

/** An event of any type with any payload. */
export function raw(type: string, data: unknown = {}): Draft {
  return { type, data }
}

export function turnStart(
  turn = 1,
  trigger: TurnTrigger | object = { kind: 'message', source: { kind: 'user' } },
): Draft {
  return raw('turn/start', { turn, trigger })
}

export function turnEnd(turn = 1, reason: TurnEndReason | object = { kind: 'completed' }): Draft {
  return raw('turn/end', { turn, reason })
}

export function stepStart(step = 1, turn = 1): Draft {
  return raw('step/start', { turn, step })
}

export function stepEnd(step = 1, turn = 1): Draft {
  return raw('step/end', { turn, step })
}

export function textDelta(text = 'Hi', step = 1, turn = 1): Draft {
  return chunk({ type: 'text-delta', index: 0, text }, step, turn)
}

export function finish(kind: 'stop' | 'tool-calls' | 'max-tokens' = 'stop', step = 1, turn = 1): Draft {
  return chunk({ type: 'finish', reason: { kind } }, step, turn)
}

export function chunk(chunk: StreamChunk | object, step = 1, turn = 1): Draft {
  return raw('assistant/chunk', { turn, step, chunk })
}

export const call = (id: string, name = 'read', args = '{}'): ToolCallBlock => ({
  type: 'tool-call',
  id: id as CallId,
  name,
  arguments: args,
})

export const say = (text: string): ContentBlock => ({ type: 'text', text })

function assistantMessage(content: readonly ContentBlock[]): AssistantMessage {
  const source = { kind: 'model', provider: 'acme', model: 'm-1' } as const
  return { id: 'm' as MessageId, role: 'assistant', source, content }
}

export interface AssistantOptions {
  readonly step?: number
  readonly turn?: number
  readonly sources?: readonly number[]
  readonly surfaceOp?: SurfaceOp
}

export function assistant(content: readonly ContentBlock[], options: AssistantOptions = {}): Draft {
  const { step = 1, turn = 1, sources, surfaceOp = 'append' } = options
  const draft = { ...raw('assistant/message', { turn, step, message: assistantMessage(content) }), surfaceOp }
  return sources === undefined ? draft : { ...draft, sourceEventSeqs: sources }
}

export function toolCall(id: string, name = 'read', args = '{}', step = 1, turn = 1): Draft {
  return raw('tool/call', { turn, step, callId: id, name, arguments: args })
}

function resultMessage(id: string, isError?: boolean): ToolResultMessage {
  const block = { type: 'tool-result', toolCallId: id as CallId, content: [say('done')] } as const
  return {
    id: 'r' as MessageId,
    role: 'user',
    source: { kind: 'tool', callId: id as CallId },
    content: [isError === undefined ? block : { ...block, isError }],
  }
}

export interface ResultOptions {
  readonly isError?: boolean
  readonly step?: number
  readonly turn?: number
  readonly surfaceOp?: SurfaceOp
}

export function toolResult(id: string, options: ResultOptions = {}): Draft {
  const { isError, step = 1, turn = 1, surfaceOp = 'append' } = options
  return { ...raw('tool/result', { turn, step, message: resultMessage(id, isError) }), surfaceOp }
}

function userMessage(text = 'Hello'): UserMessage {
  return { id: 'u' as MessageId, role: 'user', source: { kind: 'user' }, content: [say(text)] }
}

export function user(text = 'Hello', surfaceOp: SurfaceOp = 'append'): Draft {
  return { ...raw('user/message', userMessage(text)), surfaceOp }
}

export function steering(turn = 1, surfaceOp: SurfaceOp = 'append'): Draft {
  return { ...raw('steering/message', { turn, message: userMessage() }), surfaceOp }
}

export function header(reason = 'initial', system = 'Be brief.'): Draft {
  return raw('request/header', { header: { config: { provider: 'acme', model: 'm-1' }, system }, reason })
}

export function context(contextWindow = 1_000): Draft {
  return raw('request/context', { provider: 'acme', model: 'm-1', contextWindow })
}
