import type { JsonValue } from '@dsh/llm'

// Texts that may hold a number which a double cannot: looked for cheaply, and checked only where one of them is found.
const suspicious = /-0|\d{16}|[eE]\+?\d{3}/
// Levels of nesting that a record may have so that it still fits inside an event, whose limit is 1,000.
const DEEPEST = 900

/**
 * Parses a JSON object or list; undefined where the text is none. A number that a double cannot hold becomes the string
 * of its digits, and a value that nests too deeply for an event becomes its text, so that nothing is lost.
 */
export function parseValue(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = suspicious.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    // A level takes two brackets.
    return text.length > DEEPEST * 2 && isDeeperThan(value, DEEPEST) ? text : value
  } catch {
    return undefined
  }
}

// The third argument, the source text of a number, is newer than the typings of the language level.
function keepDigits(
  this: unknown,
  _key: string,
  value: unknown,
  ...[context]: readonly { source?: string }[]
): unknown {
  if (typeof value !== 'number') return value
  const source = context?.source
  if (!Number.isFinite(value)) return source ?? null
  if (Object.is(value, -0)) return source === undefined ? 0 : '-0'
  // Written again, the number says what it said before.
  if (source === undefined || source === String(value) || !/^-?\d+$/.test(source)) return value
  return BigInt(source) === BigInt(value) ? value : source
}

function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (isDeeperThan(item, levels - 1)) return true
  return false
}
