import type { Message } from '@dsh/llm'
import type { SessionView } from '@dsh/session'

/** A message that the model sees, with the event that put it there. */
export interface SurfaceMessage {
  readonly seq: number
  /** Unix epoch milliseconds. */
  readonly time: number
  readonly message: Message
}

/** The message history of a session, as `deriveMessages` gives it. */
export function surfaceMessages(view: SessionView): SurfaceMessage[] {
  return view.surface.nodes.flatMap(seq => {
    const event = view.eventAt(seq)
    const message = view.deriveEventMessage(event)
    return message === null ? [] : [{ seq, time: event.time, message }]
  })
}
