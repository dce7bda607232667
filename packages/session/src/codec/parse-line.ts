import { describeValue } from '../describe.js'
import { invalidRow, type RowPlace } from './invalid-row.js'
import { isObject, type ParsedObject } from './line-guards.js'
import { decodeUtf8 } from './utf8.js'

/**
 * The JSON object of one stored line.
 * @param seq as far as the caller knows it, for the error
 * @throws INVALID_EVENT as {@link parseJson}, and for any other value than an object
 */
export function parseLine(body: Uint8Array, seq?: number): ParsedObject {
  const value = parseJson(body, { seq })
  if (!isObject(value)) throw invalidRow('a JSON object', describeValue(value), { seq })
  return value
}

/**
 * The JSON value of a line, or of a part of one.
 * @throws INVALID_EVENT for a line feed, invalid UTF-8 and invalid JSON
 */
export function parseJson(bytes: Uint8Array, place: RowPlace): unknown {
  const text = decode(bytes, place)
  // White space to JSON, but the end of the line wherever this row is stored next.
  if (text.includes('\n')) throw invalidRow('one line', 'a line feed inside it', place)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidRow('JSON', describeValue(text), { ...place, cause })
  }
}

function decode(bytes: Uint8Array, place: RowPlace): string {
  try {
    return decodeUtf8(bytes)
  } catch (cause) {
    throw invalidRow('UTF-8', 'other bytes', { ...place, cause })
  }
}
