import type { SessionEvent } from '@dsh/session'
import { boundaryTypes, describePosition, isOpen, move, outside, type Position } from '../position.js'
import { isRewrite } from '../rewrite.js'
import type { InvariantRule } from '../rule.js'
import { type Violation, violation } from '../violation.js'

/**
 * What a model loop executes is recorded while its turn and step are open. A rewrite of the surface is no execution and
 * may name a step of the past. State: what is open.
 */
export const enclosure: InvariantRule<Position> = {
  name: 'enclosure',
  code: 'ENCLOSURE',
  description:
    'Chunks, assistant messages, tool calls and results appear only in their open turn and step, steering messages in their open turn; rewrites of the surface are exempt.',
  types: [...boundaryTypes, 'assistant/chunk', 'assistant/message', 'tool/call', 'tool/result', 'steering/message'],
  initial: () => outside,
  apply(position, event) {
    switch (event.type) {
      case 'assistant/chunk':
      case 'tool/call':
        return isOpen(position, event.data.turn, event.data.step) ? position : refuse(position, event, event.data.step)
      case 'assistant/message':
      case 'tool/result':
        if (isRewrite(event) || isOpen(position, event.data.turn, event.data.step)) return position
        return refuse(position, event, event.data.step)
      case 'steering/message':
        return isRewrite(event) || isOpen(position, event.data.turn) ? position : refuse(position, event)
      default:
        return move(position, event)
    }
  },
}

function refuse(
  position: Position,
  event: SessionEvent<'assistant/chunk' | 'assistant/message' | 'tool/call' | 'tool/result' | 'steering/message'>,
  step?: number,
): Violation<Position> {
  const where = `turn ${event.data.turn}${step === undefined ? '' : `, step ${step}`}`
  return violation(`${where} open`, `${event.type} in ${describePosition(position)}`, position, 'type')
}
