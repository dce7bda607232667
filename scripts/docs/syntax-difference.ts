import type { Node } from '../source.ts'

/** Two nodes of which one is missing where a list is longer on the other side. */
export type Pair = readonly [expected: Node | undefined, found: Node | undefined]

const silent = new Set(['start', 'end', 'raw', 'range', 'parent'])

/**
 * The innermost pair of nodes in which two trees differ, if they do. Positions and the spelling of literals do not
 * count, nor do private members of classes.
 */
export function findDifference(expected: Node, found: Node): Pair | undefined {
  return differ(expected, found, [expected, found])
}

function differ(expected: unknown, found: unknown, around: Pair): Pair | undefined {
  if (Array.isArray(expected) && Array.isArray(found)) return differInList(expected, found, around)
  if (!isObject(expected) || !isObject(found)) return Object.is(expected, found) ? undefined : around
  const isPair = typeof expected.type === 'string' && expected.type === found.type
  const pair: Pair = isPair ? [expected as Node, found as Node] : around
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)])
  for (const key of keys) {
    if (silent.has(key)) continue
    const difference = differ(expected[key], found[key], pair)
    if (difference !== undefined) return difference
  }
  return undefined
}

function differInList(expected: readonly unknown[], found: readonly unknown[], around: Pair): Pair | undefined {
  const [left, right] = [expected.filter(isPublic), found.filter(isPublic)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const pair = [left[index], right[index]] as Pair
    const difference = differ(left[index], right[index], pair.every(isObject) ? pair : around)
    if (difference === undefined) continue
    return pair.every(isObject) ? difference : pair
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isPublic(value: unknown): boolean {
  if (!isObject(value)) return true
  return value.accessibility !== 'private' && (value.key as Node | undefined)?.type !== 'PrivateIdentifier'
}
