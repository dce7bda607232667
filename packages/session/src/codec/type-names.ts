import type { LineScanner } from './line-scanner.js'

const QUOTE = 34
const BACKSLASH = 92
const FIRST_PRINTABLE = 32
const FIRST_NON_ASCII = 128
const LONGEST_NAME = 128
const MOST_NAMES = 256

interface KnownName {
  readonly bytes: Uint8Array
  readonly name: string
}

/** Names by the hash of their bytes: a log has a few types in very many lines, and a shared string compares by identity. */
const names = new Map<number, KnownName>()

/**
 * Reads the rest of a string whose opening quote was read, and the closing quote.
 * @returns undefined for a name that is over-long, or not printable ASCII
 */
export function readTypeName(line: LineScanner): string | undefined {
  const { bytes, at: start } = line
  const limit = Math.min(bytes.length, start + LONGEST_NAME)
  let hash = 0
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      line.at = at + 1
      return lookUp(hash, bytes, start, at)
    }
    if (byte < FIRST_PRINTABLE || byte === BACKSLASH || byte >= FIRST_NON_ASCII) return undefined
    hash = (Math.imul(hash, 31) + byte) | 0
  }
  return undefined
}

function lookUp(hash: number, bytes: Uint8Array, start: number, end: number): string {
  const known = names.get(hash)
  if (known !== undefined && equals(known.bytes, bytes, start, end)) return known.name
  const own = bytes.slice(start, end)
  const name = String.fromCharCode(...own)
  if (known === undefined && names.size < MOST_NAMES) names.set(hash, { bytes: own, name })
  return name
}

function equals(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false
  for (let index = 0; index < known.length; index++) if (known[index] !== bytes[start + index]) return false
  return true
}
