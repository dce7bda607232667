import { describeFound, invalidRow, type RowPlace } from './invalid-row.js'
import { isObject, type ParsedObject } from './line-guards.js'
import { decodeUtf8 } from './utf8.js'

const LINE_FEED = 10

/**
 * The JSON object of one stored line.
 * @param seq as far as the caller knows it, for the error
 * @throws INVALID_EVENT for a line feed, invalid UTF-8, invalid JSON and any other value than an object
 */
export function parseLine(body: Uint8Array, seq?: number): ParsedObject {
  // White space to JSON, but the end of the line wherever this row is stored next.
  const feed = body.indexOf(LINE_FEED)
  if (feed >= 0) throw invalidRow('one line', `a line feed at byte ${feed} of it`, { seq })
  const value = parseJson(decode(body, seq), { seq })
  if (!isObject(value)) throw invalidRow('a JSON object', describeFound(value), { seq })
  return value
}

function decode(body: Uint8Array, seq: number | undefined): string {
  try {
    return decodeUtf8(body)
  } catch (cause) {
    throw invalidRow('a line of UTF-8', 'other bytes', { seq, cause })
  }
}

/** @throws INVALID_EVENT */
export function parseJson(text: string, place: RowPlace): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidRow('JSON', describeFound(text), { ...place, cause })
  }
}
