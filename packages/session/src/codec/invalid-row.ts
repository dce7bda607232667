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

const LONGEST_QUOTE = 60

/** `value`, which came from JSON text, in a few words. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (Object.is(value, -0)) return '-0'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
}
