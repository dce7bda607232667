import type { Readable, Writable } from 'node:stream'

/** A stream that a person may be looking at. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** All that the command has of the world beside the storage and the files that it is told to read and write. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory, absolute. */
  readonly cwd: string
  /** The user's home directory, absolute. */
  readonly home: string
  readonly platform: NodeJS.Platform
  /** Unix epoch milliseconds. */
  now(): number
  /** Aborts when the person interrupts. */
  readonly signal: AbortSignal
}
