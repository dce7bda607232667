const QUOTE = 34
const COMMA = 44
const MINUS = 45
const ZERO = 48
const BACKSLASH = 92

/** More digits than this are no safe integer. */
const MOST_DIGITS = 16

/** The bytes of `text`, which is ASCII. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

/**
 * Reads a line as the encoder writes it, byte by byte. It knows one spelling of everything; a line spelled differently
 * is for `JSON.parse`.
 */
export class LineScanner {
  readonly bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Steps over `expected` if it comes next. */
  skip(expected: Uint8Array): boolean {
    const { bytes, at } = this
    if (at + expected.length > bytes.length) return false
    for (let index = 0; index < expected.length; index++) {
      if (bytes[at + index] !== expected[index]) return false
    }
    this.at = at + expected.length
    return true
  }

  /** Steps over a safe integer and returns it; NaN if none comes next. */
  integer(): number {
    const { bytes } = this
    const negative = bytes[this.at] === MINUS
    const start = negative ? this.at + 1 : this.at
    let at = start
    let value = 0
    for (; at < bytes.length; at++) {
      const digit = bytes[at]! - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    const digits = at - start
    const isCanonical = digits === 1 ? !negative || value > 0 : digits > 1 && bytes[start] !== ZERO
    if (!isCanonical || digits > MOST_DIGITS || value > Number.MAX_SAFE_INTEGER) return Number.NaN
    this.at = at
    return negative ? -value : value
  }

  /** Steps over `count` integers with commas between them and returns `sum` plus them all; NaN if others come next. */
  addIntegers(sum: number, count: number): number {
    const { bytes } = this
    let { at } = this
    for (let index = 0; index < count; index++) {
      if (index > 0 && bytes[at++] !== COMMA) return Number.NaN
      // Gaps of one and two digits, which are nearly all, take no call.
      const first = bytes[at]! - ZERO
      const second = bytes[at + 1]! - ZERO
      const third = bytes[at + 2]! - ZERO
      if (first >= 0 && first <= 9 && second < 0) {
        sum += first
        at++
      } else if (first > 0 && first <= 9 && second <= 9 && third < 0) {
        sum += first * 10 + second
        at += 2
      } else {
        this.at = at
        sum += this.integer()
        at = this.at
      }
      if (!Number.isSafeInteger(sum)) return Number.NaN
    }
    this.at = at
    return sum
  }

  /** Steps over a string with its quotes, whatever it holds. */
  skipString(): boolean {
    const { bytes } = this
    if (bytes[this.at] !== QUOTE) return false
    for (let at = this.at + 1; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) {
        this.at = at + 1
        return true
      }
    }
    return false
  }
}
