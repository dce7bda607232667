import type { JsonValue } from '@dsh/llm'
import { describeThrown } from './describe.js'
import { SessionError } from './error.js'

/** How many objects and arrays may lie inside each other. */
export const MAX_JSON_DEPTH = 1000

/**
 * Checks, copies and deep-freezes `value` in one pass that reads every property once, so that a getter cannot show one
 * value to the check and another to the log. The copy equals `JSON.parse(JSON.stringify(value))` for every value it
 * accepts.
 * @param path how an error calls the value, for instance `data`
 * @throws NOT_JSON for a BigInt, function, symbol, `undefined`, `-0`, a non-finite number, a cycle, a sparse array, an
 *   exotic object, a symbol or non-enumerable key, an extra property on an array, a getter that throws, and nesting
 *   deeper than {@link MAX_JSON_DEPTH}; `path` names the offending value
 */
export function snapshotJsonValue<T = JsonValue>(value: T, path = 'value'): T {
  try {
    return copy(value, 1) as T
  } catch (error) {
    throw Refusal.of(error).toError(path)
  }
}

/** Whether `value` is JSON without loss, that is, whether {@link snapshotJsonValue} takes it. */
export function isJsonValue(value: unknown): value is JsonValue {
  try {
    copy(value, 1)
    return true
  } catch {
    return false
  }
}

function copy(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (value === 0 ? 1 / value > 0 : value - value === 0) return value
      throw new Refusal('a finite number other than -0', Object.is(value, -0) ? '-0' : String(value))
    case 'object':
      if (value === null) return null
      if (depth > MAX_JSON_DEPTH) throw new Refusal(`at most ${MAX_JSON_DEPTH} levels of nesting`, 'one more', value)
      return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth)
    default:
      throw new Refusal('a JSON value', typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`)
  }
}

function copyArray(value: readonly unknown[], depth: number): readonly unknown[] {
  if (!isArrayPrototype(Object.getPrototypeOf(value))) throw new Refusal('a plain array', describePrototype(value))
  const length = value.length
  const out: unknown[] = []
  let index = 0
  try {
    for (; index < length; index++) out.push(copy(value[index], depth + 1))
  } catch (error) {
    throw Refusal.of(error).under(index, value)
  }
  // A hole is one key short, an extra property one key more.
  if (Reflect.ownKeys(value).length !== length + 1) {
    throw new Refusal('an array without extra properties', describeExtraKey(value, length))
  }
  return Object.freeze(out)
}

function copyObject(value: object, depth: number): object {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && !isForeignObjectPrototype(prototype)) {
    throw new Refusal('a plain object', describePrototype(value))
  }
  const out = shallowCopy(value)
  const keys = Object.keys(out)
  let key: string | undefined
  try {
    for (key of keys) {
      const member = out[key]
      if (typeof member === 'string') continue
      const copied = copy(member, depth + 1)
      if (copied !== member) out[key] = copied
    }
  } catch (error) {
    throw Refusal.of(error).under(key, value)
  }
  // Separate calls, because V8 answers both from its caches while `Reflect.ownKeys` builds a set; see `bench/core`.
  if (Object.getOwnPropertyNames(value).length !== keys.length || Object.getOwnPropertySymbols(value).length !== 0) {
    throw new Refusal('only enumerable string keys', 'a symbol or non-enumerable key')
  }
  return Object.freeze(out)
}

/** Spread reads each property once, and defines an own `__proto__` as the property that it is. */
function shallowCopy(value: object): Record<string, unknown> {
  try {
    return { ...value }
  } catch (error) {
    throw Refusal.of(error).under(findThrowingGetter(value), value)
  }
}

function findThrowingGetter(value: object): string | undefined {
  try {
    for (const key of Object.keys(value)) {
      try {
        Reflect.get(value, key)
      } catch {
        return key
      }
    }
  } catch {
    // Not even the keys can be read: the path ends at the object.
  }
  return undefined
}

// Plain objects and arrays of another realm (a worker's vm context, a test runner's sandbox) are as plain as ours.
function isForeignObjectPrototype(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

function isArrayPrototype(prototype: unknown): boolean {
  return prototype === Array.prototype || (Array.isArray(prototype) && Object.hasOwn(prototype, 'concat'))
}

function describePrototype(value: object): string {
  const name = Object.getPrototypeOf(value)?.constructor?.name
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object with a prototype of its own'
}

function describeExtraKey(value: readonly unknown[], length: number): string {
  for (let index = 0; index < length; index++) if (!Object.hasOwn(value, index)) return `a hole at index ${index}`
  const extra = Reflect.ownKeys(value).find(key => typeof key === 'symbol' || (key !== 'length' && !isIndex(key)))
  return `the property ${String(extra)}`
}

function isIndex(key: string): boolean {
  return String(Number(key) >>> 0) === key
}

/** Thrown while unwinding, so that the path costs nothing as long as nothing is wrong. */
class Refusal {
  readonly expected: string
  found: string
  /** The object at which the nesting became too deep. If it is among its own ancestors, it was a cycle. */
  readonly deepest: object | undefined
  readonly cause: unknown
  path: (string | number)[] = []

  constructor(expected: string, found: string, deepest?: object, cause?: unknown) {
    this.expected = expected
    this.found = found
    this.deepest = deepest
    this.cause = cause
  }

  static of(error: unknown): Refusal {
    if (error instanceof Refusal) return error
    return new Refusal('a property that can be read', `an exception: ${describeThrown(error)}`, undefined, error)
  }

  under(key: string | number | undefined, parent: object): this {
    if (this.deepest === parent) {
      // Its own ancestor: what leads from here to itself is of no use to anybody.
      this.found = 'a cycle: the value contains itself'
      this.path = []
    } else if (key !== undefined) this.path.push(key)
    return this
  }

  toError(root: string): SessionError {
    let path = root
    for (const key of this.path.reverse()) path += formatKey(key)
    const { expected, found, cause } = this
    return new SessionError('NOT_JSON', { expected, found, path, ...(cause === undefined ? {} : { cause }) })
  }
}

function formatKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
