import { LONGEST_TERM, tokenize } from './tokens.js'

const separators = /[^a-z0-9]+/g

/**
 * The terms of a text with a space between two, as `tokenize` finds them. Lines of plain ASCII, which most are, take a tenth
 * of its time.
 */
export function termsOf(text: string): string {
  const terms: string[] = []
  for (const line of text.normalize('NFC').split('\n')) {
    const found = (isAscii(line) && termsOfAscii(line)) || [...tokenize(line)].map(({ term }) => term).join(' ')
    if (found !== '') terms.push(found)
  }
  return terms.join(' ')
}

/** Undefined when a term is so long that it has to be cut. */
function termsOfAscii(line: string): string | undefined {
  const found = line.toLowerCase().replace(separators, ' ').trim()
  return hasOverlong(found) ? undefined : found
}

function hasOverlong(terms: string): boolean {
  for (let start = 0; start < terms.length; ) {
    const space = terms.indexOf(' ', start)
    const end = space < 0 ? terms.length : space
    if (end - start > LONGEST_TERM) return true
    start = end + 1
  }
  return false
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
