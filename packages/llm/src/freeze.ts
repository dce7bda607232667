/** Deepest nesting that is copied; what is deeper, or runs in a circle, is refused. The log has the same limit. */
const MAX_DEPTH = 1000

/**
 * A deep-frozen copy of a plain value; the caller's own objects stay as they are. A property whose value is `undefined`
 * counts as absent. Whether the value is lossless JSON is for the log to check: this refuses only what it could not
 * copy and freeze.
 * @throws TypeError for an object that is neither plain nor an array, and for nesting deeper than 1,000
 */
export function frozenCopy<T>(value: T): T {
  return copy(value, 0) as T
}

function copy(source: unknown, depth: number): unknown {
  if (typeof source !== 'object' || source === null) return source
  if (depth === MAX_DEPTH) throw new TypeError(`expected nesting of at most ${MAX_DEPTH}, found more or a cycle`)
  if (Array.isArray(source)) return Object.freeze(source.map(item => copy(item, depth + 1)))
  if (!isPlain(source)) throw new TypeError(`expected plain objects and arrays, found ${source.constructor?.name}`)
  const target: Record<string, unknown> = {}
  for (const key of Object.keys(source)) {
    const item = (source as Record<string, unknown>)[key]
    if (item === undefined) continue
    const value = copy(item, depth + 1)
    // Assigning to `__proto__` would set the prototype instead of an own key.
    if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true })
    else target[key] = value
  }
  return Object.freeze(target)
}

// Plain objects of another realm have another `Object.prototype`; that it has no prototype itself holds in all of them.
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
