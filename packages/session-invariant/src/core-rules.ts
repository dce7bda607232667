import type { InvariantRule } from './rule.js'
import { assembly } from './rules/assembly.js'
import { callId } from './rules/call-id.js'
import { callsAnswered } from './rules/calls-answered.js'
import { enclosure } from './rules/enclosure.js'
import { nesting } from './rules/nesting.js'
import { payload } from './rules/payload.js'
import { requestContext } from './rules/request-context.js'
import { requestHeader } from './rules/request-header.js'
import { seq } from './rules/seq.js'
import { stepNumber } from './rules/step-number.js'
import { strictEnclosure } from './rules/strict-enclosure.js'
import { todo } from './rules/todo.js'
import { tokenLimit } from './rules/token-limit.js'
import { toolCall } from './rules/tool-call.js'
import { toolResult } from './rules/tool-result.js'
import { turnEnd } from './rules/turn-end.js'
import { turnNumber } from './rules/turn-number.js'
import { turnTrigger } from './rules/turn-trigger.js'

/**
 * Where events may stand. `execution`: what a model loop executes lies inside its turn and step, everything else may
 * also lie between turns. `strict`: everything lies inside a turn.
 */
export type Enclosure = 'execution' | 'strict'

/** The rules of the core's events. Shapes come first, so that a malformed event is reported as such. */
export function coreRules(mode: Enclosure = 'execution'): readonly InvariantRule[] {
  return mode === 'strict' ? [...executionRules, strictEnclosure] : executionRules
}

const executionRules: readonly InvariantRule[] = [
  seq,
  payload,
  turnTrigger,
  turnEnd,
  todo,
  turnNumber,
  stepNumber,
  nesting,
  enclosure,
  callId,
  toolCall,
  toolResult,
  callsAnswered,
  assembly,
  tokenLimit,
  requestHeader,
  requestContext,
]
