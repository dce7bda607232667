import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** Turns count from 1 without gaps. State: the number of the last turn. */
export const turnNumber: InvariantRule<number> = {
  name: 'turn-number',
  code: 'TURN_NUMBER',
  description: 'Turns are numbered from 1 without gaps.',
  types: ['turn/start'],
  initial: () => 0,
  apply(last, event) {
    if (event.type !== 'turn/start') return last
    const { turn } = event.data
    if (turn === last + 1) return turn
    return violation(`turn ${last + 1}`, `turn ${turn}`, Number.isSafeInteger(turn) ? turn : last, 'data.turn')
  },
}
