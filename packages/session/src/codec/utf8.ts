// Globals of every runtime, declared here because the core is compiled without the types of Node or of the DOM.
declare const TextEncoder: new () => {
  encode(text: string): Uint8Array
  encodeInto(text: string, target: Uint8Array): { readonly written: number }
}
declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: true; readonly ignoreBOM: true },
) => { decode(bytes: Uint8Array): string }

const encoder = new TextEncoder()
// `ignoreBOM` keeps a byte order mark in the text; dropping it would accept bytes that a rewrite would not reproduce.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const BLOCK_BYTES = 16_384
/** A line above this length gets a buffer of its own, so that no block is left mostly empty. */
const LONGEST_SHARED_LINE = BLOCK_BYTES / 8

/** @throws TypeError when `bytes` are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Encodes lines into blocks of memory that they share, which takes a quarter of the time of a buffer for each. */
export class LineEncoder {
  #block = new Uint8Array(0)
  #used = 0

  /** @param following how many more lines follow at most, for the size of the next block */
  encode(line: string, following: number): Uint8Array {
    if (line.length > LONGEST_SHARED_LINE) return encoder.encode(line)
    // A UTF-16 unit takes at most three bytes.
    const most = line.length * 3
    if (this.#block.length - this.#used < most) {
      if (following === 0) return encoder.encode(line)
      this.#block = new Uint8Array(Math.min(BLOCK_BYTES, most * (following + 1)))
      this.#used = 0
    }
    const start = this.#used
    this.#used += encoder.encodeInto(line, this.#block.subarray(start)).written
    return this.#block.subarray(start, this.#used)
  }
}
