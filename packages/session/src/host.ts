import { SessionError } from './error.js'
import type { SessionEvent } from './event.js'
import type { StoredRow } from './row.js'
import { hostOf, type Session, type SessionHost, setHost } from './session.js'
import { logOf, type SessionView } from './session-view.js'

export { extendedSession } from './extend.js'
export { isDelta } from './log/delta.js'
export type { SessionHost } from './session.js'
export { validateHeader } from './validate-header.js'

/**
 * Makes `host` the owner of `session`: it sees every append before and after its commit.
 * @returns gives the session up; calling it again does nothing
 * @throws INVALID_EVENT when the session has an owner
 */
export function attachHost(session: Session, host: SessionHost): () => void {
  if (hostOf(session) !== undefined) {
    throw new SessionError('SESSION_ALREADY_EXISTS', {
      expected: 'a session without an owner',
      found: 'one that a store owns',
      session: session.id,
    })
  }
  setHost(session, host)
  return () => {
    if (hostOf(session) === host) setHost(session, undefined)
  }
}

/**
 * The log as it lies in memory: stored rows that nobody has needed to decode as they were stored, everything else as
 * events. For writers of storage, who can pass rows on without decoding them.
 * @throws INVALID_BOUNDARY for a range outside the log
 */
export function storedEntries(view: SessionView, from?: number, to?: number): Iterable<StoredRow | SessionEvent> {
  return logOf(view).entries(from, to)
}
