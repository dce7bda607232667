/** A value that JSON text can hold without loss. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON object: the form of tool parameters schemas and free-form payloads. */
export type JsonObject = { readonly [key: string]: JsonValue }

/**
 * Whether two JSON values are equal. The order of object keys does not count, the order of array items does, and a
 * property whose value is `undefined` equals an absent one.
 */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && arrayEquals(a, b)
  return !Array.isArray(b) && objectEquals(a as Properties, b as Properties)
}

type Properties = Readonly<Record<string, unknown>>

function arrayEquals(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => jsonEquals(item, b[index]))
}

function objectEquals(a: Properties, b: Properties): boolean {
  const keys = definedKeys(a)
  return keys.length === definedKeys(b).length && keys.every(key => Object.hasOwn(b, key) && jsonEquals(a[key], b[key]))
}

function definedKeys(value: Properties): string[] {
  return Object.keys(value).filter(key => value[key] !== undefined)
}
