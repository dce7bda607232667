import { SessionError } from '../error.js'

/** Where in a stored line something is wrong. */
export interface RowPlace {
  readonly seq?: number | undefined
  readonly path?: string
  readonly cause?: unknown
}

/** The error for a stored line that does not have the shape of one. */
export function invalidRow(expected: string, found: string, place: RowPlace): SessionError {
  const { seq, ...rest } = place
  return new SessionError('INVALID_EVENT', { expected, found, ...rest, ...(seq === undefined ? {} : { seq }) })
}
