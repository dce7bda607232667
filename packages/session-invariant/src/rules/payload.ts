import { payloadShapes } from '../payload/events.js'
import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/**
 * The payload of a core event has exactly the fields that its type declares. Kinds of source, block, chunk and finish
 * reason that plugins add are let through. Stateless.
 */
export const payload: InvariantRule<undefined> = {
  name: 'payload',
  code: 'PAYLOAD_SHAPE',
  description:
    'The payload of a core event has exactly the declared fields; unknown kinds of source, block, chunk and finish reason are let through.',
  types: Object.keys(payloadShapes),
  initial: () => undefined,
  apply(state, event) {
    const problem = payloadShapes[event.type as keyof typeof payloadShapes]?.(event.data)
    return problem === undefined ? state : violation(problem.expected, problem.found, state, `data${problem.path}`)
  },
}
