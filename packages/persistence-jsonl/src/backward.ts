import type { ByteSource } from './source.js'
import { readRange } from './source.js'

/** The last event of a log is asked for more often than everything from the end on. */
const FIRST_WINDOW = 64 * 1024
const LARGEST_WINDOW = 1024 * 1024

/** Gives parts of a file that are asked for from its end to its start, and reads it in windows. */
export class BackwardReader {
  private readonly source: ByteSource
  private readonly floor: number
  private window: Buffer = Buffer.alloc(0)
  private start = 0
  private size = FIRST_WINDOW

  /** @param floor nothing before it is asked for */
  constructor(source: ByteSource, floor: number) {
    this.source = source
    this.floor = floor
  }

  /** The bytes from `start` to `end`, of a file that is at least that long. */
  async slice(start: number, end: number): Promise<Buffer> {
    if (start < this.start || end > this.start + this.window.length) {
      this.start = Math.max(this.floor, Math.min(start, end - this.size))
      this.size = Math.min(2 * this.size, LARGEST_WINDOW)
      this.window = await readRange(this.source, this.start, end)
    }
    return this.window.subarray(start - this.start, end - this.start)
  }
}
