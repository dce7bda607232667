import type { InvariantRule } from '../rule.js'
import { followCalls, noCalls, type StepCalls, stepCallTypes } from '../step-calls.js'
import { violation } from '../violation.js'

/** A tool runs because the model asked for exactly that. State: the calls of the open step. */
export const toolCall: InvariantRule<StepCalls> = {
  name: 'tool-call',
  code: 'TOOL_CALL_MISMATCH',
  description:
    "A tool call has the id, name and arguments of a call block of its step's assistant message, each block called at most once and before its result.",
  types: stepCallTypes,
  initial: () => noCalls,
  apply(calls, event) {
    const next = followCalls(calls, event)
    if (event.type !== 'tool/call') return next
    const { callId, name, arguments: args } = event.data
    const call = calls.get(callId)
    const id = JSON.stringify(callId)
    if (call?.block === undefined) {
      return violation("a call block of the step's assistant message", `none with id ${id}`, next, 'data.callId')
    }
    if (call.block.name !== name) {
      return violation(`name ${JSON.stringify(call.block.name)}`, JSON.stringify(name), next, 'data.name')
    }
    if (call.block.arguments !== args) {
      return violation('the arguments of the call block, verbatim', 'others', next, 'data.arguments')
    }
    if (call.started) return violation('one start of each call', `${id} started again`, next, 'data.callId')
    if (call.answered) return violation('a call before its result', `${id} answered already`, next, 'data.callId')
    return next
  },
}
