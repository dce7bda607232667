const LONGEST_QUOTE = 60

/** `value`, which can be anything, in a few words for an error. Never throws, whatever `toString` it brings along. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing'
    case 'object':
      if (value === null) return 'null'
      return isList(value) ? 'a list' : 'an object'
    case 'function':
      return 'a function'
    default:
      return shorten(describePrimitive(value))
  }
}

/** What was thrown, as text. Never throws. */
export function describeThrown(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'a value without a text'
  }
}

function describePrimitive(value: unknown): string {
  // Cut first: what is quoted can be a whole log of zeros.
  if (typeof value === 'string') return JSON.stringify(value.slice(0, LONGEST_QUOTE))
  return Object.is(value, -0) ? '-0' : String(value)
}

function shorten(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
}

function isList(value: object): boolean {
  try {
    return Array.isArray(value)
  } catch {
    // A revoked proxy.
    return false
  }
}
