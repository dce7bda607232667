import type { RecoveryReport, StoredRecord } from '@dsh/persistence/driver'
import type { SessionHeader } from '@dsh/session'
import { corruptError } from './damage.js'
import type { FileSystem, OpenFlag } from './fs.js'
import type { OpenFile } from './open-file.js'
import type { TailState } from './recover.js'
import { recoverTail } from './recover.js'
import { storageFailed } from './storage-error.js'
import type { OpenPart, StoredLog } from './stored-log.js'
import { closeParts, openParts } from './stored-log.js'
import { verifyBatches } from './verify.js'

/** A stored session with its end found. */
export interface OpenLog {
  readonly header: SessionHeader
  readonly parts: readonly OpenPart[]
  readonly last: OpenPart
  readonly tail: TailState
  /** The records of all batches, if they were read on the way and are not too many to hold on to. */
  readonly held?: readonly StoredRecord[][]
}

/** How a stored session is opened. */
export interface OpenLogOptions {
  /** For the last part; the others are only read. */
  readonly flag: OpenFlag
  /** Whether every batch is held against its checksum, as before writing on, or only the last. */
  readonly thorough: boolean
  /** Takes the last part for this process, before its end is looked for. */
  readonly claim?: (file: OpenFile) => Promise<void>
}

/** A larger log is read a second time rather than held in memory until somebody asks for it. */
const MOST_HELD = 256 * 1024 * 1024

/**
 * Opens a stored session and finds the end of its log. Nothing is written.
 * @throws SESSION_NOT_FOUND, SESSION_CORRUPT, SESSION_LOCKED, FORMAT_UNSUPPORTED, STORAGE_FAILED
 */
export async function openLog(
  fs: FileSystem,
  directory: string,
  id: string,
  options: OpenLogOptions,
): Promise<OpenLog> {
  const stored = await openParts(fs, directory, id, options.flag)
  try {
    return await findEnd(stored, options)
  } catch (error) {
    await closeParts(stored.parts)
    throw storageFailed('read the log', error, { file: directory, session: id })
  }
}

/** Finds the end of a log whose files are open. @throws SESSION_CORRUPT, SESSION_LOCKED */
export async function findEnd({ header, parts }: StoredLog, options: Omit<OpenLogOptions, 'flag'>): Promise<OpenLog> {
  const { id: session, seedLength = 0 } = header
  const opened = parts[parts.length - 1]!
  await options.claim?.(opened.source)
  // Until it was claimed, an earlier owner could append to it.
  const last = options.claim ? { ...opened, size: (await opened.source.stat()).size } : opened
  const held: StoredRecord[][] = []
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const each = options.thorough && size <= MOST_HELD ? (records: StoredRecord[]) => held.push(records) : undefined
  if (options.thorough) await verifyClosedParts(parts, session, each)
  const tail = await recoverTail(last, { thorough: options.thorough, isOnlyPart: parts.length === 1, each })
  if (tail.next < seedLength) {
    const found = { expected: `the ${seedLength} events that the session inherited`, found: `${tail.next}` }
    throw corruptError({ byte: tail.end, seq: tail.next, ...found }, last.source.file, session)
  }
  return { header, parts: [...parts.slice(0, -1), last], last, tail, ...(each && { held }) }
}

/** The report of what opening found; absent when the log was intact. */
export function recoveryReport({ tail, last }: OpenLog, savedTo?: string): RecoveryReport | undefined {
  const { end, keptEvents, notes } = tail
  const cutBytes = last.size - end
  if (cutBytes === 0 && keptEvents === 0 && notes.length === 0) return undefined
  return { torn: cutBytes > 0, cutBytes, keptEvents, notes, ...(savedTo !== undefined && { savedTo }) }
}

/** Parts that nothing is appended to any more cannot be torn, and each starts where the one before it ends. */
async function verifyClosedParts(
  parts: readonly OpenPart[],
  session: string,
  each: ((records: StoredRecord[]) => void) | undefined,
): Promise<void> {
  for (const [index, { source, seed, start, size }] of parts.slice(0, -1).entries()) {
    const { edge, damage } = await verifyBatches(source, seed, start, size, each)
    if (damage) throw corruptError(damage, source.file, session)
    const successor = parts[index + 1]!
    if (successor.start.next === edge.next) continue
    const found = { expected: `a part that starts with event ${edge.next}`, found: `one from ${successor.start.next}` }
    throw corruptError({ byte: 0, seq: edge.next, ...found }, successor.source.file, session)
  }
}
