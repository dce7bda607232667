import { boundaryTypes, describePosition, isOpen, move, outside, type Position } from '../position.js'
import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** Turns and steps open and close in pairs, one at a time, steps inside their turn. State: what is open. */
export const nesting: InvariantRule<Position> = {
  name: 'nesting',
  code: 'NESTING',
  description: 'One turn at a time, one step at a time inside its turn; each is closed under its own number.',
  types: boundaryTypes,
  initial: () => outside,
  apply(position, event) {
    const next = move(position, event)
    const refuse = (expected: string) =>
      violation(expected, `${event.type} in ${describePosition(position)}`, next, 'type')
    switch (event.type) {
      case 'turn/start':
        return position.turn === 0 ? next : refuse(`turn ${position.turn} closed before another starts`)
      case 'turn/end':
        if (position.step !== 0) return refuse(`step ${position.step} closed before its turn`)
        return isOpen(position, event.data.turn) ? next : refuse(`turn ${event.data.turn} open`)
      case 'step/start':
        if (position.step !== 0) return refuse(`step ${position.step} closed before another starts`)
        return isOpen(position, event.data.turn) ? next : refuse(`turn ${event.data.turn} open`)
      case 'step/end':
        return isOpen(position, event.data.turn, event.data.step)
          ? next
          : refuse(`turn ${event.data.turn}, step ${event.data.step} open`)
      default:
        return position
    }
  },
}
