import { describeThrown } from './describe.js'
import { type ErrorPlace, SessionError } from './error.js'

/**
 * The refusal of a value that threw while it was read: behind a getter or a proxy. A SessionError, thrown by a check on the
 * way, is passed on as it is.
 * @param what the value, as a noun phrase
 */
export function unreadable(what: string, error: unknown, place: ErrorPlace): SessionError {
  if (error instanceof SessionError) return error
  return new SessionError('NOT_JSON', {
    expected: `${what} that can be read`,
    found: `an exception: ${describeThrown(error)}`,
    cause: error,
    ...place,
  })
}
