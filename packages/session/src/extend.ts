import type { SessionEvent } from './event.js'
import type { Session } from './session.js'
import { sessionOver } from './session.js'
import { logOf, surfaceOf } from './session-view.js'
import { isSurfaceEvent } from './surface-op.js'
import { checkSurfaceEvent } from './surface-rules.js'
import { acceptWholeEvent } from './validate-event.js'

/**
 * A session that also holds `events`, below its `firstLiveSeq` as if they had been there from the start. It shares
 * everything with `session`, which stays as it is.
 * @param events contiguous from the end of the log; each is checked as a seed's are
 * @throws INVALID_EVENT, NOT_JSON, SURFACE_CONFLICT
 */
export function extendedSession(session: Session, events: readonly SessionEvent[]): Session {
  const log = logOf(session).prefix(session.seq)
  const growing = sessionOver(session.header, log)
  for (const value of events) {
    const event = acceptWholeEvent(value, log.length)
    if (isSurfaceEvent(event)) checkSurfaceEvent(surfaceOf(growing), event, seq => log.at(seq))
    log.push(event)
  }
  return sessionOver(session.header, log)
}
