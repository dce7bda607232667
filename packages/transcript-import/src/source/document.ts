import type { JsonValue } from '@dsh/llm'
import type { Chunks } from './chunks.js'
import { parseValue } from './parse.js'
import { decodeText } from './text.js'
import { stringEnd } from './values.js'

/** A file that is one JSON document. */
export interface ParsedDocument {
  readonly value: JsonValue
  readonly text: string
  /** What could not be read at the end of a document that breaks off; in UTF-16 units of the text. */
  readonly damage?: { readonly start: number; readonly end: number }
}

/** All of a file as text; undefined when it has more than `most` bytes. */
export async function readText(chunks: Chunks, most: number): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > most) return undefined
    parts.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return decodeText(bytes).text.replace(/^\ufeff/, '')
}

/**
 * Parses a document. One that breaks off is read up to its last whole element; undefined where the text is no document.
 */
export function parseDocument(text: string): ParsedDocument | undefined {
  const value = parseValue(text)
  if (value !== undefined) return { value, text }
  for (const { end, closers } of wholePrefixes(text)) {
    const prefix = parseValue(text.slice(0, end) + closers)
    if (prefix !== undefined) return { value: prefix, text, damage: { start: end, end: text.length } }
  }
  return undefined
}

interface Prefix {
  readonly end: number
  /** What closes all that is open. */
  readonly closers: string
}

/** How deep inside a document an element may lie behind which it is cut: what is deeper is part of a record. */
const DEEPEST_CUT = 4

/**
 * Where a text that breaks off can be cut so that what is left is whole: behind the last object or list that is complete
 * at each of the outermost levels, the deepest of them last to be tried so that no record is cut in half.
 */
function wholePrefixes(text: string): Prefix[] {
  const open: string[] = []
  const cuts: Prefix[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = stringEnd(text, at)
    else if (char === '{') open.push('}')
    else if (char === '[') open.push(']')
    else if (char === '}' || char === ']') {
      if (open.pop() !== char) break
      // Only behind an element of a list: a cut behind the value of a field could leave half a record.
      if (open.length <= DEEPEST_CUT && open.at(-1) === ']') {
        cuts[open.length] = { end: at + 1, closers: open.toReversed().join('') }
      }
    }
  }
  return cuts.filter(cut => cut !== undefined)
}
