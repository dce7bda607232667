import { jsonEquals } from '@dsh/llm'
import { headerEquals } from '../epoch-header.js'
import type { FoldDefinition } from '../fold.js'
import type { EpochHeader, RequestContext, RequestHeaderReason } from '../request.js'
import type { SessionView } from '../session-view.js'

const lastHeaderSeq: FoldDefinition<number> = {
  initial: () => -1,
  types: ['request/header'],
  apply: (_, event) => event.seq,
}

/**
 * Why `header` has to be recorded before the next request, or undefined when the one in force says it already. The first
 * request of a process records its header even when it equals the one in force.
 */
export function headerReason(session: SessionView, header: EpochHeader): RequestHeaderReason | undefined {
  const inForce = session.requestHeader()
  if (inForce === undefined) return 'initial'
  if (session.fold(lastHeaderSeq) < session.firstLiveSeq) return 'resume'
  return headerEquals(inForce, header) ? undefined : 'change'
}

/** Whether `context` says something else than the last record. */
export function contextChanged(session: SessionView, context: RequestContext): boolean {
  return !jsonEquals(session.requestContext(), context)
}

/** Whether a header was recorded behind `seq`. */
export function isHeaderRecorded(session: SessionView, seq: number): boolean {
  return session.fold(lastHeaderSeq) > seq
}
