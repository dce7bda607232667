import type { RequestContext } from '@dsh/session'
import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** The capacity in force, and whether the open step has recorded its header. */
export interface ContextState {
  readonly hasHeader: boolean
  readonly context?: RequestContext
}

/** The log holds a route's capacity beside the header it belongs to, where it changed. */
export const requestContext: InvariantRule<ContextState> = {
  name: 'request-context',
  code: 'REQUEST_CONTEXT',
  description:
    'A request context follows the request header of its step, and differs in provider, model or capacity from the one in force.',
  types: ['step/start', 'step/end', 'turn/start', 'turn/end', 'request/header', 'request/context'],
  initial: () => ({ hasHeader: false }),
  apply(state, event) {
    if (event.type !== 'request/context') {
      const hasHeader = event.type === 'request/header'
      return hasHeader === state.hasHeader ? state : { ...state, hasHeader }
    }
    const next = { ...state, context: event.data }
    if (!state.hasHeader) return violation('the request header of the same step before it', 'none', next, 'type')
    const { context } = state
    if (
      context !== undefined &&
      context.provider === event.data.provider &&
      context.model === event.data.model &&
      context.contextWindow === event.data.contextWindow
    ) {
      return violation('a context that differs from the one in force', 'an equal one', next, 'data')
    }
    return next
  },
}
