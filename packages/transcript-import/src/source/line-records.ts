import type { JsonValue } from '@dsh/llm'
import type { RawLine } from './lines.js'
import { parseValue } from './parse.js'
import type { DamagedRecord, Position, SourceRecord } from './record.js'
import { decodeText } from './text.js'
import { findValues } from './values.js'

/** How much of damaged text an event shows, in UTF-16 units. */
const SHOWN = 65_536

/** Reads lines into records, and counts them. */
export class LineReader {
  /** Lines that held nothing. */
  blank = 0
  #ordinal = 0

  /** The records of one line: none of a blank one, several where values are glued together. */
  read(line: RawLine): (SourceRecord | DamagedRecord)[] {
    const { number, byte, bytes, length } = line
    const position = { line: number, byte }
    if (line.isCut) return [this.#damage(position, 'longer than a record may be', decodeText(bytes).text, length)]
    const { text, isExact: isUtf8 } = decodeText(bytes)
    if (text.trim() === '') {
      this.blank++
      return []
    }
    const value = parseValue(text)
    const records = value === undefined ? this.#search(text, line) : [this.#record(position, value)]
    return isUtf8 ? records : [this.#damage(position, 'not UTF-8; read with U+FFFD in place', text, length), ...records]
  }

  #search(text: string, { number, byte, isTerminated, length }: RawLine): (SourceRecord | DamagedRecord)[] {
    const found = findValues(text)
    return found.map((part, index) => {
      const position = found.length === 1 ? { line: number, byte } : { line: number, item: index + 1, byte }
      const piece = text.slice(part.start, part.end)
      if ('value' in part) return this.#record(position, part.value)
      const isLast = !isTerminated && part.end === text.length
      const reason = isLast ? 'not a JSON record; the file ends in it' : 'not a JSON record'
      return this.#damage(position, reason, piece, found.length === 1 ? length : byteLength(piece))
    })
  }

  #record(position: Position, value: JsonValue): SourceRecord {
    return { ordinal: this.#ordinal++, position, value }
  }

  #damage(position: Position, reason: string, text: string, bytes: number): DamagedRecord {
    return { ordinal: this.#ordinal++, position, damage: { reason, text: text.slice(0, SHOWN), bytes } }
  }
}

/** How many bytes a text takes as UTF-8. */
export function byteLength(text: string): number {
  let length = 0
  for (const char of text) {
    const code = char.codePointAt(0)!
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
  }
  return length
}
