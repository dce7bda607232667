import type { JsonValue } from '@dsh/llm'

/** A JSON object whose fields nobody has checked. */
export type JsonRecord = { readonly [key: string]: JsonValue }

/** Whether `value` is a JSON object: not a list, not null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of a value that may be anything; undefined where there is none. */
export function field(value: unknown, key: string): JsonValue | undefined {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** A field that is a string; undefined where it is not. */
export function textField(value: unknown, key: string): string | undefined {
  const found = field(value, key)
  return typeof found === 'string' ? found : undefined
}
