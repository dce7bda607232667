import { sep } from 'node:path'
import { crc32 } from 'node:zlib'
import type { StoredRecord } from '@dsh/persistence/driver'
import { BatchRows } from './batch-rows.js'
import { corruptError } from './damage.js'
import type { FileSystem } from './fs.js'
import { findParts, partName } from './layout.js'
import { BatchScanner } from './scan.js'

/** Bytes of the largest log that counts as small. */
export const SMALL_LOG_BYTES = 64 * 1024

const LINE_FEED = 0x0a

/** A log as a list has seen it. */
export interface SmallLog {
  readonly session: string
  /** Its directory. */
  readonly directory: string
  /** Bytes up to the commit line of the last event before `next`. */
  readonly size: number
  readonly next: number
}

/**
 * The records of a log of one part, read and verified at once, which takes a tenth of opening it through the thread pool.
 * @returns undefined for a log that is not small, has other parts, or is no longer there as it was
 * @throws SESSION_CORRUPT
 */
export function readSmallLog(fs: FileSystem, { session, directory, size, next }: SmallLog): StoredRecord[] | undefined {
  const file = directory + sep + partName(0)
  const bytes = size > SMALL_LOG_BYTES ? undefined : readNow(fs, directory, file, size)
  if (!bytes) return undefined
  const start = bytes.indexOf(LINE_FEED) + 1
  const rows = new BatchRows(0)
  const scanner = new BatchScanner(crc32(bytes.subarray(0, start)), { byte: start, next: 0 }, rows)
  const damage = scanner.scan({ bytes: bytes.subarray(start), start }) ?? scanner.finish(size)
  if (damage) throw corruptError(damage, file, session)
  return scanner.edge.next === next ? rows.take() : undefined
}

function readNow(fs: FileSystem, directory: string, file: string, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  try {
    if (findParts(fs.now.readdir(directory)).length !== 1) return undefined
    const fd = fs.now.open(file)
    try {
      return fs.now.read(fd, bytes, 0) === size ? bytes : undefined
    } finally {
      fs.now.close(fd)
    }
  } catch {
    return undefined
  }
}
