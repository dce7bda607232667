import type { CallId } from '@dsh/llm'
import { toolCalls } from '@dsh/llm'
import type { SessionEvent } from '../event.js'
import type { FoldDefinition } from '../fold.js'
import { payloadNumber, payloadText } from './payload.js'

/** A tool call that waits for its answer. */
export interface OpenToolCall {
  readonly callId: CallId
  readonly name: string
  /** The model's JSON text, unparsed. */
  readonly arguments: string
  readonly turn: number
  readonly step: number
  /** Sequence number of its `tool/call`; absent while the tool has not been started. */
  readonly callSeq?: number
}

/**
 * The tool calls since the last turn boundary that no `tool/result` has answered, in the order in which the model made
 * them. In a log that keeps the invariants all of them belong to the open step. A call stays open when a rewrite takes
 * its message off the surface: the tool may still be running.
 */
export const openToolCalls: FoldDefinition<readonly OpenToolCall[]> = {
  initial: () => [],
  types: ['turn/start', 'turn/end', 'assistant/message', 'tool/call', 'tool/result'],
  apply(calls, event) {
    switch (event.type) {
      case 'turn/start':
      case 'turn/end':
        return calls.length === 0 ? calls : []
      case 'assistant/message':
        return event.surfaceOp === 'append' ? ask(calls, event) : calls
      case 'tool/call':
        return start(calls, event)
      case 'tool/result':
        return event.surfaceOp === 'append' ? answer(calls, event.data.message.source.callId) : calls
      default:
        return calls
    }
  },
}

function ask(calls: readonly OpenToolCall[], { data }: SessionEvent<'assistant/message'>): readonly OpenToolCall[] {
  const made = new Map<CallId, OpenToolCall>()
  for (const { id, name, arguments: text } of toolCalls(data.message)) {
    // An id used twice in one message can be answered only once.
    if (!made.has(id)) made.set(id, { callId: id, name, arguments: text, ...place(data) })
  }
  return made.size === 0 ? calls : [...calls, ...made.values()]
}

function start(calls: readonly OpenToolCall[], { seq, data }: SessionEvent<'tool/call'>): readonly OpenToolCall[] {
  const callId = payloadText(data, 'callId')
  if (callId === '') return calls
  const index = calls.findLastIndex(call => call.callId === callId)
  if (index < 0) {
    const [name, text] = [payloadText(data, 'name'), payloadText(data, 'arguments')]
    return [...calls, { callId: callId as CallId, name, arguments: text, ...place(data), callSeq: seq }]
  }
  return calls[index]!.callSeq === undefined ? calls.with(index, { ...calls[index]!, callSeq: seq }) : calls
}

function answer(calls: readonly OpenToolCall[], callId: CallId): readonly OpenToolCall[] {
  const index = calls.findLastIndex(call => call.callId === callId)
  return index < 0 ? calls : calls.toSpliced(index, 1)
}

function place(data: unknown) {
  return { turn: payloadNumber(data, 'turn') ?? 0, step: payloadNumber(data, 'step') ?? 0 }
}
