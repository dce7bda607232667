/** Where and how a value misses its shape. */
export interface Problem {
  /** Path from the value that was checked, for instance `.content[2].text`; empty for the value itself. */
  readonly path: string
  readonly expected: string
  readonly found: string
}

/** Checks the shape of a value; undefined when it fits. Nothing is allocated for a value that fits. */
export type Shape = (value: unknown) => Problem | undefined

/** A shape of single values that `test` accepts. */
export function value(expected: string, test: (value: unknown) => boolean): Shape {
  return found => (test(found) ? undefined : { path: '', expected, found: describe(found) })
}

/** Any string. */
export const text = value('a string', found => typeof found === 'string')
/** A string that is not empty. */
export const name = value('a non-empty string', found => typeof found === 'string' && found !== '')
/** True or false. */
export const flag = value('a boolean', found => typeof found === 'boolean')
/** Any finite number. */
export const number = value('a number', found => typeof found === 'number')
/** A whole number from 0. */
export const count = value('a whole number from 0', found => Number.isSafeInteger(found) && (found as number) >= 0)
/** A whole number from 1. */
export const ordinal = value('a whole number from 1', found => Number.isSafeInteger(found) && (found as number) >= 1)
/** Any JSON object. */
export const record = value('an object', isRecord)
/** Anything at all. */
export const anything: Shape = () => undefined

/** Exactly `expected`. */
export function literal(...allowed: readonly string[]): Shape {
  return value(allowed.map(item => JSON.stringify(item)).join(' or '), found => allowed.includes(found as string))
}

/** A list whose items all have `shape`. */
export function list(shape: Shape): Shape {
  return found => {
    if (!Array.isArray(found)) return { path: '', expected: 'a list', found: describe(found) }
    for (let index = 0; index < found.length; index++) {
      const problem = shape(found[index])
      if (problem !== undefined) return under(`[${index}]`, problem)
    }
    return undefined
  }
}

/** An object with all fields of `required`, any of `optional`, and no others. */
export function exactly(required: Fields, optional: Fields = {}): Shape {
  const needed = Object.keys(required)
  const shapes = new Map([...Object.entries(required), ...Object.entries(optional)])
  return found => {
    if (!isRecord(found)) return { path: '', expected: 'an object', found: describe(found) }
    let seen = 0
    // `in` and not `Object.keys`, which would build a list for every chunk of a stream.
    for (const key in found) {
      const shape = shapes.get(key)
      if (shape === undefined) return { path: `.${key}`, expected: 'no such field', found: describe(found[key]) }
      const problem = shape(found[key])
      if (problem !== undefined) return under(`.${key}`, problem)
      if (Object.hasOwn(required, key)) seen++
    }
    if (seen === needed.length) return undefined
    return { path: `.${needed.find(key => !Object.hasOwn(found, key))}`, expected: 'a value', found: 'none' }
  }
}

/** An object told apart by the string in its field `tag`. Tags that are not in `shapes` are let through. */
export function tagged(tag: string, shapes: Fields): Shape {
  const known = new Map(Object.entries(shapes))
  return found => {
    if (!isRecord(found)) return { path: '', expected: 'an object', found: describe(found) }
    const kind = found[tag]
    const shape = known.get(kind as string)
    if (shape !== undefined) return shape(found)
    const problem = name(kind)
    return problem && under(`.${tag}`, problem)
  }
}

/** An object with exactly one of the fields that `shapes` names, and then of the shape that belongs to it. */
export function oneOf(shapes: Fields): Shape {
  const names = Object.keys(shapes)
  return found => {
    if (!isRecord(found)) return { path: '', expected: 'an object', found: describe(found) }
    const present = names.filter(key => Object.hasOwn(found, key))
    if (present.length === 1) return shapes[present[0]!]!(found)
    return {
      path: '',
      expected: `exactly one of ${names.join(' and ')}`,
      found: present.length === 0 ? 'none' : 'both',
    }
  }
}

/** The problem of a member, as a problem of what holds it. */
export function under(step: string, problem: Problem): Problem {
  return { ...problem, path: step + problem.path }
}

type Fields = Readonly<Record<string, Shape>>

function isRecord(found: unknown): found is Record<string, unknown> {
  return typeof found === 'object' && found !== null && !Array.isArray(found)
}

function describe(found: unknown): string {
  if (found === undefined) return 'none'
  if (found === null) return 'null'
  if (Array.isArray(found)) return 'a list'
  if (typeof found === 'object') return 'an object'
  return typeof found === 'string'
    ? JSON.stringify(found.length > 40 ? `${found.slice(0, 40)}…` : found)
    : String(found)
}
