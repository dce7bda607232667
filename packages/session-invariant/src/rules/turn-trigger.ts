import { trigger } from '../payload/turn.js'
import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** Every turn says what started it; kinds that plugins add are let through. Stateless. */
export const turnTrigger: InvariantRule<undefined> = {
  name: 'turn-trigger',
  code: 'TURN_TRIGGER',
  description: 'Every turn start carries its trigger, in the exact shape of its kind.',
  types: ['turn/start'],
  initial: () => undefined,
  apply(state, event) {
    if (event.type !== 'turn/start') return state
    const problem = trigger(event.data.trigger)
    return problem === undefined
      ? state
      : violation(problem.expected, problem.found, state, `data.trigger${problem.path}`)
  },
}
