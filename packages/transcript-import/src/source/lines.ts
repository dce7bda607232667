import type { Chunks } from './chunks.js'

/** One line of a file, without its line feed. */
export interface RawLine {
  /** From 1. */
  readonly number: number
  /** Offset of its first byte. */
  readonly byte: number
  /** Its bytes, or the first of them where it is longer than allowed. */
  readonly bytes: Uint8Array
  /** How many bytes it has. */
  readonly length: number
  /** Whether a line feed ends it. */
  readonly isTerminated: boolean
  /** Whether it is longer than allowed, so that only its beginning is there. */
  readonly isCut: boolean
}

/** How much of an overlong line is kept. */
const KEPT_OF_OVERLONG = 65_536
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * Splits a file at its line feeds, in batches of one chunk each. A byte order mark at the start and carriage returns
 * before line feeds are left out. Memory is bounded by the chunks and by `longest`.
 * @param longest bytes of the longest line that is kept whole
 */
export async function* splitLines(chunks: Chunks, longest: number): AsyncGenerator<RawLine[]> {
  const splitter = new LineSplitter(longest)
  for await (const chunk of chunks) {
    const lines = splitter.push(chunk)
    if (lines.length > 0) yield lines
  }
  const last = splitter.end()
  if (last !== undefined) yield [last]
}

class LineSplitter {
  readonly #longest: number
  #parts: Uint8Array[] = []
  #kept = 0
  #length = 0
  #number = 1
  #byte = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  push(chunk: Uint8Array): RawLine[] {
    const lines: RawLine[] = []
    let from = 0
    for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
      this.#add(chunk.subarray(from, feed))
      lines.push(this.#finish(true))
      from = feed + 1
    }
    this.#add(chunk.subarray(from))
    return lines
  }

  end(): RawLine | undefined {
    return this.#length === 0 ? undefined : this.#finish(false)
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return
    this.#length += part.length
    const limit = this.#length > this.#longest ? KEPT_OF_OVERLONG : this.#longest
    const room = limit - this.#kept
    if (room <= 0) return
    this.#parts.push(part.length > room ? part.subarray(0, room) : part)
    this.#kept += Math.min(part.length, room)
  }

  #finish(isTerminated: boolean): RawLine {
    const isCut = this.#length > this.#longest
    let bytes = concat(this.#parts, this.#kept)
    if (isCut) bytes = bytes.slice(0, KEPT_OF_OVERLONG)
    const line = { number: this.#number, byte: this.#byte, length: this.#length, isTerminated, isCut }
    this.#byte += this.#length + 1
    this.#number++
    this.#parts = []
    this.#kept = 0
    this.#length = 0
    if (isTerminated && !isCut && bytes[bytes.length - 1] === CARRIAGE_RETURN) bytes = bytes.subarray(0, -1)
    return { ...line, bytes: line.number === 1 ? withoutMark(bytes) : bytes }
  }
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0]!
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
