import { endReason } from '../payload/turn.js'
import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/**
 * The reason of a turn's end says no more than its kind may: who aborted is not recorded, an error has one cause. Kinds
 * that plugins add are let through. Stateless.
 */
export const turnEnd: InvariantRule<undefined> = {
  name: 'turn-end',
  code: 'TURN_END_REASON',
  description:
    'The reason of a turn end has the exact shape of its kind: `aborted` nothing beside it, `error` its step and exactly one of `failure` and `message`.',
  types: ['turn/end'],
  initial: () => undefined,
  apply(state, event) {
    if (event.type !== 'turn/end') return state
    const problem = endReason(event.data.reason)
    return problem === undefined
      ? state
      : violation(problem.expected, problem.found, state, `data.reason${problem.path}`)
  },
}
