import { requestContextFold, requestHeaderFold } from '../epoch-header.js'
import type { FoldDefinition } from '../fold.js'
import type { EpochHeader, RequestContext } from '../request.js'

/** What is known of the context capacity of the next request. */
export interface ContextCapacity {
  /** The record in force; absent when no record belongs to the route of the header in force: unknown, not stale. */
  readonly inForce?: RequestContext
  /** The header in force. */
  readonly header?: EpochHeader
  /** The last record, whatever its route. */
  readonly record?: RequestContext
}

/** The context capacity of the route that the header in force names. */
export const contextWindow: FoldDefinition<ContextCapacity> = {
  initial: () => ({}),
  types: ['request/header', 'request/context'],
  apply(state, event) {
    const header = requestHeaderFold.apply(state.header, event)
    const record = requestContextFold.apply(state.record, event)
    if (header === state.header && record === state.record) return state
    return {
      ...(header && { header }),
      ...(record && { record }),
      ...(belongsTo(record, header) && { inForce: record }),
    }
  },
}

function belongsTo(record: RequestContext | undefined, header: EpochHeader | undefined): boolean {
  if (typeof record?.contextWindow !== 'number' || header === undefined) return false
  return record.provider === header.config.provider && record.model === header.config.model
}
