import type { SessionEvent } from './event.js'
import { CheckedLogBuilder } from './seed.js'
import type { Session } from './session.js'
import { sessionOver } from './session.js'
import { logOf, surfaceOf } from './session-view.js'

/**
 * A session that also holds `events`, below its `firstLiveSeq` as if they had been there from the start. It shares
 * everything with `session`, which stays as it is.
 * @param events contiguous from the end of the log; each is checked as a seed's are
 * @throws INVALID_EVENT, NOT_JSON, SURFACE_CONFLICT
 */
export function extendedSession(session: Session, events: readonly SessionEvent[]): Session {
  const log = logOf(session).prefix(session.seq)
  // The surface of a session that nobody else sees: from here on the builder keeps it in step with the log.
  const builder = new CheckedLogBuilder(log, surfaceOf(sessionOver(session.header, log)))
  for (const event of events) builder.add(event)
  return sessionOver(session.header, log)
}
