import type { Message } from '@dsh/llm'
import type { SessionEvent } from './event.js'

/**
 * The message that an event puts into the model's history: the very object inside the event, frozen. `null` for an
 * event that produces none: a log-only one, or an `assistant/message` without content, which is there for its usage.
 */
export function deriveEventMessage(event: SessionEvent): Message | null {
  switch (event.type) {
    case 'user/message':
      return event.data
    case 'assistant/message':
      return event.data.message.content.length === 0 ? null : event.data.message
    case 'tool/result':
    case 'steering/message':
      return event.data.message
    default:
      return null
  }
}
