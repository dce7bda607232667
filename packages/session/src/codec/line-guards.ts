import { describeValue } from '../describe.js'
import { invalidRow } from './invalid-row.js'

/** A JSON object as it came from a stored line. */
export type ParsedObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is ParsedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether `value` is an integer that arithmetic keeps exact. `-0` is none: it would be written back as `0`. */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
}

/** Whether `value` is an integer from 0: a seq, a count or a length. */
export function isNatural(value: unknown): value is number {
  return isInteger(value) && value >= 0
}

/** Whether `type` is the type of an event and not a tag of the storage. */
export function isEventType(type: unknown): type is string {
  return typeof type === 'string' && type.indexOf('/') > 0 && !type.endsWith('/')
}

/** Whether the keys of `value` are exactly `keys` in that order. */
export function hasKeys(value: object, keys: readonly string[]): boolean {
  let index = 0
  for (const key in value) if (key !== keys[index++]) return false
  return index === keys.length
}

export function requireObject(value: unknown, path: string, seq: number | undefined): ParsedObject {
  if (isObject(value)) return value
  throw invalidRow('an object', describeValue(value), { seq, path })
}

export function requireInteger(value: unknown, path: string, seq: number | undefined): number {
  if (isInteger(value)) return value
  throw invalidRow('a safe integer', describeValue(value), { seq, path })
}

export function requireNatural(value: unknown, path: string, seq: number | undefined): number {
  if (isNatural(value)) return value
  throw invalidRow('a safe integer from 0', describeValue(value), { seq, path })
}

export function requireString(value: unknown, path: string, seq: number | undefined): string {
  if (typeof value === 'string') return value
  throw invalidRow('a string', describeValue(value), { seq, path })
}

/** Refuses every key of `object` that is not in `known`. `path` ends where the key's name goes. */
export function requireKnownKeys(
  object: ParsedObject,
  known: ReadonlySet<string>,
  path: string,
  seq: number | undefined,
): void {
  for (const key of Object.keys(object)) {
    if (!known.has(key)) {
      throw invalidRow(`only the keys ${[...known].join(', ')}`, `the key ${describeValue(key)}`, {
        seq,
        path: path + key,
      })
    }
  }
}
