// The log keeps the payloads of structural events and plugins as they came: anything can be in them.

/** A field of a payload; undefined where there is none. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

/** A field as text: strings as they are, other values as JSON, nothing as nothing. */
export function textField(value: unknown, ...path: readonly string[]): string {
  const found = field(value, ...path)
  return typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found)
}

/** The elements of a field that is a list. */
export function listField(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = field(value, ...path)
  return Array.isArray(found) ? found : []
}
