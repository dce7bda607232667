import { type InvariantRule, violation } from '@dsh/session-invariant'
import '../events.js'

/** A hook runs for a turn and is recorded in it. State: the open turn, 0 for none. */
export const hookEnclosure: InvariantRule<number> = {
  name: 'hook-enclosure',
  code: 'HOOK_ENCLOSURE',
  description: 'Hook invocations and results appear only in their open turn.',
  types: ['turn/start', 'turn/end', 'hook/invoked', 'hook/result'],
  initial: () => 0,
  apply(open, event) {
    switch (event.type) {
      case 'turn/start':
        return event.data.turn
      case 'turn/end':
        return 0
      case 'hook/invoked':
      case 'hook/result': {
        const { turn } = event.data
        if (open !== 0 && turn === open) return open
        return violation(`turn ${turn} open`, open === 0 ? 'no open turn' : `turn ${open}`, open, 'data.turn')
      }
      default:
        return open
    }
  },
}
