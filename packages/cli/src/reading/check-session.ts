import type { SessionListing, SessionPersistence, VerifyReport } from '@dsh/persistence'
import { isSessionError } from '@dsh/session'

/**
 * Checks a session that was listed. One that its id does not lead to, since its header cannot be read, is as damaged as
 * the list said.
 * @returns undefined when the session is gone by now
 */
export async function checkSession(
  persistence: SessionPersistence,
  { id, error, header }: SessionListing,
): Promise<VerifyReport | undefined> {
  try {
    return await persistence.verify(id)
  } catch (cause) {
    if (!isSessionError(cause, 'SESSION_NOT_FOUND')) throw cause
    if (error === undefined) return undefined
    return { id, isIntact: false, events: 0, hasOpenTurn: false, error, ...(header !== undefined && { header }) }
  }
}
