import { isRewrite } from '../rewrite.js'
import type { InvariantRule } from '../rule.js'
import { followCalls, noCalls, type StepCalls, stepCallTypes } from '../step-calls.js'
import { violation } from '../violation.js'

/**
 * A result answers a call of its own step, once. A call that never started can be answered with an error only: that is
 * how a cancelled or crashed turn is closed. A rewrite answers nothing. State: the calls of the open step.
 */
export const toolResult: InvariantRule<StepCalls> = {
  name: 'tool-result',
  code: 'TOOL_RESULT_UNPAIRED',
  description:
    'A tool result answers a call of its step, each call at most once; a call that never started only with an error. Rewrites of the surface are exempt.',
  types: stepCallTypes,
  initial: () => noCalls,
  apply(calls, event) {
    const next = followCalls(calls, event)
    if (event.type !== 'tool/result' || isRewrite(event)) return next
    const { source, content } = event.data.message
    const call = calls.get(source.callId)
    const id = JSON.stringify(source.callId)
    const refuse = (expected: string, found: string) => violation(expected, found, next, 'data.message.source.callId')
    if (call === undefined) return refuse('a result of a call of its step', `none with id ${id}`)
    if (call.answered) return refuse('one answer to each call', `another for ${id}`)
    if (!call.started && content[0].isError !== true) {
      return refuse('a recorded tool/call, or an error result', `a result of ${id}, which never started`)
    }
    return next
  },
}
