import type { StoredRecord } from '@dsh/persistence/driver'
import { checkLine } from './row.js'

const beginning = Buffer.from('{"type":"')
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** A message can hold any number of beginnings; each is a walk to the end of the line. */
const MOST_ATTEMPTS = 64

/** Finds whole rows inside a line that is not one: glued to another row, to the beginning of one, or to zeros. */
export function findRows(bytes: Buffer, start: number, end: number): StoredRecord[] {
  const found: StoredRecord[] = []
  for (let at = start, attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const begin = bytes.indexOf(beginning, at)
    if (begin < 0 || begin >= end) break
    const close = closingBrace(bytes, begin, end)
    const record = close < 0 ? undefined : attempt(bytes, begin, close + 1)
    if (record) found.push(record)
    at = record ? close + 1 : begin + 1
  }
  return found
}

function attempt(bytes: Buffer, start: number, end: number): StoredRecord | undefined {
  try {
    return checkLine(bytes, start, end)
  } catch {
    return undefined
  }
}

/** Where the object that opens at `start` closes, or -1. */
function closingBrace(bytes: Buffer, start: number, end: number): number {
  let depth = 0
  let inString = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (inString) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPENING_BRACE) depth++
    else if (byte === CLOSING_BRACE && --depth === 0) return at
  }
  return -1
}
