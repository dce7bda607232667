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
const MAX_LINE_BYTES = 0x1fffffe8
/** From here on a line is looked at for the NUL bytes that a power cut leaves, before more of it is collected. */
const SUSPICIOUS_LINE_BYTES = 16 * BLOCK_BYTES

/**
 * Reads the file from `start`, where a line starts, to `end` in blocks that end on a line feed. Only the last block may
 * end without one. A line that cannot be a row, because it is too long or is long and holds NUL, comes in pieces. The
 * next block is read while this one is worked through.
 */
export async function* readBlocks(
  source: ByteSource,
  start: number,
  end: number,
  options: BlockOptions = {},
): AsyncGenerator<Block> {
  const { retain = false, signal, blockBytes = BLOCK_BYTES } = options
  const memory = retain ? allocate : alternate()
  const readOn = (carry: Buffer, position: number): Read => {
    // A line longer than a block doubles the next one, so that collecting it stays linear.
    const wanted = Math.min(end - position, Math.max(blockBytes, carry.length))
    const buffer = memory(carry.length + wanted)
    carry.copy(buffer)
    const count = source.read(buffer.subarray(carry.length), position)
    // Whoever asks for the next block hears of a failure, if somebody does.
    count.catch(() => {})
    return { buffer, start: position - carry.length, carried: carry.length, count }
  }
  let ahead = start < end ? readOn(Buffer.alloc(0), start) : undefined
  try {
    while (ahead) {
      signal?.throwIfAborted()
      const { buffer, start: offset, carried } = ahead
      const filled = buffer.subarray(0, carried + (await ahead.count))
      const position = offset + filled.length
      const isLast = position >= end || filled.length < buffer.length
      const feed = filled.lastIndexOf(0x0a)
      const whole = isLast || (feed < 0 && isHopeless(filled)) ? filled.length : feed + 1
      ahead = isLast ? undefined : readOn(filled.subarray(whole), position)
      if (whole > 0) yield { bytes: filled.subarray(0, whole), start: offset }
    }
  } finally {
    await ahead?.count.catch(() => {})
  }
}

interface Read {
  readonly buffer: Buffer
  /** Where the buffer's first byte lies in the file. */
  readonly start: number
  /** Bytes at its beginning that were read before. */
  readonly carried: number
  readonly count: Promise<number>
}

function allocate(length: number): Buffer {
  return Buffer.allocUnsafeSlow(length)
}

/** Gives the same two pieces of memory in turn: one is read into while the other is worked through. */
function alternate(): (length: number) => Buffer {
  const buffers = [Buffer.alloc(0), Buffer.alloc(0)] as [Buffer, Buffer]
  return length => {
    buffers.reverse()
    if (buffers[0].length < length) buffers[0] = allocate(length)
    return buffers[0].subarray(0, length)
  }
}

function isHopeless(line: Buffer): boolean {
  return line.length >= MAX_LINE_BYTES || (line.length >= SUSPICIOUS_LINE_BYTES && line.includes(0))
}
