import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** A provider may use a call id again in a later message, never twice in one. Stateless. */
export const callId: InvariantRule<undefined> = {
  name: 'call-id',
  code: 'CALL_ID_REPEATED',
  description: 'The ids of the tool calls of one assistant message are unique; later messages may use them again.',
  types: ['assistant/message'],
  initial: () => undefined,
  apply(state, event) {
    if (event.type !== 'assistant/message') return state
    const seen = new Set<string>()
    for (const [index, block] of event.data.message.content.entries()) {
      if (block.type !== 'tool-call') continue
      if (seen.has(block.id)) {
        const path = `data.message.content[${index}].id`
        return violation('call ids unique in their message', `${JSON.stringify(block.id)} twice`, state, path)
      }
      seen.add(block.id)
    }
    return state
  },
}
