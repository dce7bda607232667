import type { FoundCommit } from './commit-line.js'
import { findLastCommit, MAX_COMMIT_LENGTH } from './commit-line.js'
import type { ByteSource } from './source.js'
import { readRange } from './source.js'

const FIRST_WINDOW = 4096
const LAST_WINDOW = 1024 * 1024

/** The last well-formed commit line between `floor`, where a line starts, and `size`; places are those in the file. */
export async function findTail(source: ByteSource, floor: number, size: number): Promise<FoundCommit | undefined> {
  let window = FIRST_WINDOW
  for (let end = size; end > floor; ) {
    const start = Math.max(floor, end - window)
    // The overlap holds a commit line that straddles two windows.
    const bytes = await readRange(source, start, Math.min(size, end + MAX_COMMIT_LENGTH))
    const found = findLastCommit(bytes, start === floor)
    if (found) return { commit: found.commit, start: start + found.start, end: start + found.end }
    end = start
    window = Math.min(window * 4, LAST_WINDOW)
  }
  return undefined
}
