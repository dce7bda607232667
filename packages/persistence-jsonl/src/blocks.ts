import type { ByteSource } from './source.js'

/** Consecutive whole lines. */
export interface Block {
  readonly bytes: Buffer
  /** Where the block lies in the file. */
  readonly start: number
}

export interface BlockOptions {
  /** Whether the bytes stay untouched after the next block was asked for. Default: the memory is used again. */
  readonly retain?: boolean
  readonly signal?: AbortSignal | undefined
  /** Bytes to read at a time; default one megabyte, which takes two milliseconds to work through. */
  readonly blockBytes?: number
}

const BLOCK_BYTES = 1024 * 1024

/** No JavaScript string is longer, so no longer line can be a row. */
export const MAX_LINE_BYTES = 0x1fffffe8
/** From here on a line is looked at for the NUL bytes that a power cut leaves, before more of it is collected. */
const SUSPICIOUS_LINE_BYTES = 16 * BLOCK_BYTES

/**
 * Reads the file from `start`, where a line starts, to `end` in blocks that end on a line feed. Only the last block may
 * end without one. A line that cannot be a row, because it is too long or is long and holds NUL, comes in pieces.
 */
export async function* readBlocks(
  source: ByteSource,
  start: number,
  end: number,
  options: BlockOptions = {},
): AsyncGenerator<Block> {
  const { retain = false, signal, blockBytes = BLOCK_BYTES } = options
  let buffer: Buffer = Buffer.alloc(0)
  let carry = buffer
  let position = start
  while (position < end) {
    signal?.throwIfAborted()
    // A line longer than a block doubles the next one, so that collecting it stays linear.
    const wanted = Math.min(end - position, Math.max(blockBytes, carry.length))
    const needed = carry.length + wanted
    if (retain || needed > buffer.length) buffer = moveTo(Buffer.allocUnsafeSlow(needed), carry)
    else moveTo(buffer, carry)
    const count = await source.read(buffer.subarray(carry.length, needed), position)
    position += count
    const filled = buffer.subarray(0, carry.length + count)
    const isLast = position >= end || count < wanted
    const feed = filled.lastIndexOf(0x0a)
    const whole = isLast || (feed < 0 && isHopeless(filled)) ? filled.length : feed + 1
    if (whole > 0) yield { bytes: filled.subarray(0, whole), start: position - filled.length }
    if (isLast) return
    carry = filled.subarray(whole)
  }
}

function moveTo(target: Buffer, carry: Buffer): Buffer {
  carry.copy(target)
  return target
}

function isHopeless(line: Buffer): boolean {
  return line.length >= MAX_LINE_BYTES || (line.length >= SUSPICIOUS_LINE_BYTES && line.includes(0))
}
