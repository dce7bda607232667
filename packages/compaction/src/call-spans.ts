import { isToolResultBlock, toolCalls } from '@dsh/llm'
import { openToolCalls, type SessionView } from '@dsh/session'

/**
 * What of a surface belongs together: from the node that made a tool call to the node that answers it, as positions on the
 * surface. `last` is undefined for a call in flight, whose answer is yet to come.
 */
export interface CallSpan {
  readonly first: number
  readonly last: number | undefined
}

/** The spans of all calls on the surface of `view`. A call that was never answered and never will be has none. */
export function callSpans(view: SessionView): CallSpan[] {
  const spans: CallSpan[] = []
  // Providers reuse ids: a result answers the latest call of its id.
  const unanswered = new Map<string, number>()
  for (const [position, seq] of view.surface.nodes.entries()) {
    const message = view.deriveEventMessage(view.eventAt(seq))
    if (message === null) continue
    for (const block of message.content) {
      if (!isToolResultBlock(block)) continue
      const first = unanswered.get(block.toolCallId)
      if (first === undefined) continue
      unanswered.delete(block.toolCallId)
      spans.push({ first, last: position })
    }
    for (const { id } of toolCalls(message)) unanswered.set(id, position)
  }
  for (const { callId } of view.fold(openToolCalls)) {
    const first = unanswered.get(callId)
    if (first !== undefined) spans.push({ first, last: undefined })
  }
  return spans
}
