import type { JsonValue } from '@dsh/llm'
import { parseValue } from './parse.js'

/** A value found in a text that is not one JSON value. */
export interface FoundValue {
  readonly value: JsonValue
  /** Where it begins and ends, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** Part of a text that is no JSON value. */
export interface FoundDamage {
  readonly start: number
  readonly end: number
}

/**
 * The JSON objects and lists of a line that is not one of them: values glued together, whole ones before or after a
 * damaged one. A value behind damage counts only when it reaches to the end of the line, since otherwise it may be a
 * part of the damaged one.
 */
export function findValues(text: string): (FoundValue | FoundDamage)[] {
  const found: (FoundValue | FoundDamage)[] = []
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const end = valueEnd(text, at)
    const value = end === undefined ? undefined : parseValue(text.slice(at, end))
    if (end !== undefined && value !== undefined) {
      found.push({ value, start: at, end })
      at = skipSpace(text, end)
      continue
    }
    const tail = tailValue(text, at + 1)
    found.push({ start: at, end: tail?.start ?? text.length })
    if (tail !== undefined) found.push(tail)
    break
  }
  return found
}

/** Where the object or list that begins at `start` ends; undefined where it does not, or where none begins. */
export function valueEnd(text: string, start: number): number | undefined {
  const first = text[start]
  if (first !== '{' && first !== '[') return undefined
  let depth = 0
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 34: // "
        at = stringEnd(text, at)
        break
      case 123: // {
      case 91: // [
        depth++
        break
      case 125: // }
      case 93: // ]
        if (--depth === 0) return at + 1
    }
  }
  return undefined
}

/** The position of the quote that closes the string which opens at `start`; the end of the text where none does. */
export function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length : at
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** How many places a whole record may begin at behind damage before the search is given up. */
const MOST_CANDIDATES = 100

function tailValue(text: string, from: number): FoundValue | undefined {
  const end = text.trimEnd().length
  let start = text.indexOf('{"', from)
  for (let tries = 0; start >= 0 && tries < MOST_CANDIDATES; tries++, start = text.indexOf('{"', start + 1)) {
    if (valueEnd(text, start) !== end) continue
    const value = parseValue(text.slice(start, end))
    if (value !== undefined) return { value, start, end }
  }
  return undefined
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at]!)) at++
  return at
}
