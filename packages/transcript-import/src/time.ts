import type { JsonValue } from '@dsh/llm'

const zoned = /(?:[zZ]|[+-]\d\d:?\d\d)$/

/** Unix epoch milliseconds of an ISO date; one without a zone counts as UTC, so that every machine reads the same. */
export function isoTime(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const hasTime = value.includes('T') || value.includes(' ')
  const time = Date.parse(hasTime && !zoned.test(value) ? `${value}Z` : value)
  return Number.isFinite(time) ? time : undefined
}

/** Whole epoch milliseconds of a number that counts them, or of one that counts seconds. */
export function epochTime(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'number' || !(value > 0)) return undefined
  // Seconds reach this number in the year 5138, milliseconds did in 1973.
  const time = Math.round(value < 100_000_000_000 ? value * 1000 : value)
  return Number.isSafeInteger(time) ? time : undefined
}
