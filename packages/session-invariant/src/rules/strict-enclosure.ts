import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** Every event lies inside a turn, idle messages, plugin events and rewrites too. State: whether a turn is open. */
export const strictEnclosure: InvariantRule<boolean> = {
  name: 'strict-enclosure',
  code: 'STRICT_ENCLOSURE',
  description: 'Every event appears inside an open turn. Only with `enclosure: "strict"`.',
  initial: () => false,
  apply(open, event) {
    if (event.type === 'turn/start') return true
    if (event.type === 'turn/end') return false
    return open || violation('an open turn', `${event.type} between turns`, false, 'type')
  },
}
