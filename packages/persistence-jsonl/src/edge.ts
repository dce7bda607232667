import type { FoundCommit } from './commit-line.js'
import { findLastCommit, MAX_COMMIT_LENGTH } from './commit-line.js'
import type { BatchEdge } from './scan.js'

/** Reads the bytes from one place to another. */
export type ReadBetween = (start: number, end: number) => Promise<Buffer>

/** The commit line that ends at `end`; `floor` is where a line starts that is not looked behind. */
export async function commitBefore(read: ReadBetween, floor: number, end: number): Promise<FoundCommit | undefined> {
  const start = Math.max(floor, end - MAX_COMMIT_LENGTH)
  const window = await read(start, end)
  const found = findLastCommit(window, start === floor)
  if (!found || found.end !== window.length) return undefined
  return { commit: found.commit, start: start + found.start, end }
}

/** The edge at `byte`, if the part starts there or a commit line ends there. */
export async function edgeAt(read: ReadBetween, start: BatchEdge, byte: number): Promise<BatchEdge | undefined> {
  if (byte <= start.byte) return byte === start.byte ? start : undefined
  const found = await commitBefore(read, start.byte, byte)
  return found && { byte, next: found.commit.next }
}
