import type { InvariantRule } from '../rule.js'
import { followCalls, noCalls, type StepCalls, stepCallTypes } from '../step-calls.js'
import { violation } from '../violation.js'

/** No step closes over a call that waits for its answer; providers refuse such a history. State: its calls. */
export const callsAnswered: InvariantRule<StepCalls> = {
  name: 'calls-answered',
  code: 'CALL_UNANSWERED',
  description: 'Every tool call that the model made in a step is answered before the step ends.',
  types: stepCallTypes,
  initial: () => noCalls,
  apply(calls, event) {
    const next = followCalls(calls, event)
    if (event.type !== 'step/end') return next
    const open = [...calls].filter(([, call]) => !call.answered).map(([id]) => JSON.stringify(id))
    return open.length === 0 ? next : violation('an answer to every call', `none to ${open.join(', ')}`, next, 'type')
  },
}
