import type { ToolCallBlock } from '@dsh/llm'
import type { SessionEvent } from '@dsh/session'
import { isRewrite } from './rewrite.js'

/** What became of one call of the open step. */
export interface StepCall {
  /** The call block of the step's assistant message; absent where the call was recorded without one. */
  readonly block?: ToolCallBlock
  /** Whether a `tool/call` was recorded. */
  readonly started: boolean
  /** Whether a `tool/result` was recorded. */
  readonly answered: boolean
}

/** The calls of the open step by call id, in block order. Never changed in place. */
export type StepCalls = ReadonlyMap<string, StepCall>

/** Before any call. */
export const noCalls: StepCalls = new Map()

/** The event types that change {@link StepCalls}. */
export const stepCallTypes = [
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'assistant/message',
  'tool/call',
  'tool/result',
] as const

/** The calls after `event`, whether or not the event fits them. Call ids are scoped to their step: providers reuse them. */
export function followCalls(calls: StepCalls, event: SessionEvent): StepCalls {
  switch (event.type) {
    case 'turn/start':
    case 'turn/end':
    case 'step/start':
    case 'step/end':
      return noCalls
    case 'assistant/message':
      return isRewrite(event) ? calls : withBlocks(calls, event)
    case 'tool/call':
      return withCall(calls, event.data.callId, { started: true })
    case 'tool/result':
      return isRewrite(event) ? calls : withCall(calls, event.data.message.source.callId, { answered: true })
    default:
      return calls
  }
}

function withBlocks(calls: StepCalls, event: SessionEvent<'assistant/message'>): StepCalls {
  const blocks = event.data.message.content.filter(block => block.type === 'tool-call')
  if (blocks.length === 0) return calls
  const next = new Map(calls)
  for (const block of blocks) next.set(block.id, { started: false, answered: false, block })
  return next
}

function withCall(calls: StepCalls, id: string, change: Partial<StepCall>): StepCalls {
  return new Map(calls).set(id, { started: false, answered: false, ...calls.get(id), ...change })
}
