import { type CallId, toolCalls } from '@dsh/llm'
import type { SessionEvent } from '../event.js'
import { payloadField } from './payload.js'

/** One tool call of a step. */
export interface OutlineCall {
  readonly callId: CallId
  readonly name: string
  /** Sequence number of its `tool/call`. */
  readonly callSeq?: number
  /** Sequence number of its `tool/result`. */
  readonly resultSeq?: number
  /** Whether the result is an error; absent while there is none. */
  readonly isError?: boolean
}

/** The calls of a step after `event`. */
export function outlineCalls(calls: readonly OutlineCall[], event: SessionEvent): readonly OutlineCall[] {
  switch (event.type) {
    case 'assistant/message':
      return [...calls, ...toolCalls(event.data.message).map(({ id, name }) => ({ callId: id, name }))]
    case 'tool/call': {
      const callId = payloadField(event.data, 'callId')
      return amend(calls, call => call.callId === callId && call.callSeq === undefined, { callSeq: event.seq })
    }
    case 'tool/result': {
      const { toolCallId, isError = false } = event.data.message.content[0]
      const facts = { resultSeq: event.seq, isError }
      return amend(calls, call => call.callId === toolCallId && call.resultSeq === undefined, facts)
    }
    default:
      return calls
  }
}

function amend(
  calls: readonly OutlineCall[],
  matches: (call: OutlineCall) => boolean,
  facts: Partial<OutlineCall>,
): readonly OutlineCall[] {
  const index = calls.findIndex(matches)
  return index < 0 ? calls : calls.with(index, { ...calls[index]!, ...facts })
}
