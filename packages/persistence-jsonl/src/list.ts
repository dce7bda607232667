import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ListEntry, ListPage, ListQuery } from '@dsh/persistence/driver'
import { lastActivity, pageEntries } from '@dsh/persistence/driver'
import { sessionSlug } from '@dsh/persistence/lock'
import type { SessionId } from '@dsh/session'
import { isSessionError, SessionError } from '@dsh/session'
import { parseCommitLine } from './commit-line.js'
import { isForeign } from './find-session.js'
import type { DirectoryEntry, FileSystem } from './fs.js'
import { parseHeaderLine } from './header-line.js'
import { partName } from './layout.js'
import { findEnd } from './open-log.js'
import { endsInTurn } from './open-turn.js'
import { readSmallLog } from './small-log.js'
import { isErrno, storageFailed } from './storage-error.js'
import type { StoredLog } from './stored-log.js'
import { closeParts, openParts } from './stored-log.js'

/** How long the event loop is held at a time. Through the thread pool a listing takes five times as long. */
const SLICE_MS = 5

const FIRST_PART = partName(0)

const LINE_FEED = 0x0a

/** Most logs of a few events fit, which are then read at once. A log whose header is longer is opened. */
const HEAD = 4096

/** Bytes of logs whose records a page can hold. */
const MOST_RECORD_BYTES = 16 * 1024 * 1024

/** The last lines of most logs fit. */
const TAIL = 1024

/**
 * Looks at every session in `directory`: the header line and the end of the log. What is broken is an entry too. Only
 * logs that do not end with a commit line, or have several parts, are opened.
 * @throws STORAGE_FAILED when the directory itself cannot be read
 */
export async function listSessions(fs: FileSystem, directory: string, query: ListQuery): Promise<ListPage> {
  const places = new Map<ListEntry, Place>()
  const scratch = { head: Buffer.allocUnsafeSlow(HEAD), tail: Buffer.allocUnsafeSlow(TAIL) }
  const pauses = new Pauses()
  for (const { name, kind } of readRoot(fs, directory)) {
    if (name.startsWith('.') || kind === 'file') continue
    if (pauses.isDue()) await pauses.take()
    const path = directory + sep + name
    const intact = kind === 'directory' ? glance(fs, path, scratch) : undefined
    const entry = intact ?? (await examine(fs, path, name))
    if (entry) places.set(entry, { path, name, isIntact: intact !== undefined })
  }
  const page = pageEntries(places.keys(), query)
  const entries: ListEntry[] = []
  let left = query.withRecords ? MOST_RECORD_BYTES : 0
  for (const entry of page.entries) {
    if (pauses.isDue()) await pauses.take()
    const { path, name, isIntact } = places.get(entry)!
    // Only of those that are shown: it takes as long as looking at the log.
    const checked = checkName(entry, name, path)
    const shown = left > 0 && isIntact && checked.state !== 'corrupt' ? withRecords(fs, checked, path) : checked
    if (shown.records) left -= entry.bytes!
    entries.push(shown)
  }
  return { ...page, entries }
}

function withRecords(fs: FileSystem, entry: ListEntry, directory: string): ListEntry {
  const { id: session, bytes: size, nextSeq: next } = entry
  try {
    const records = readSmallLog(fs, { session, directory, size: size!, next })
    return records ? { ...entry, records } : entry
  } catch (error) {
    return { ...entry, state: 'corrupt', error: error as Error }
  }
}

/** Where the entry of a page was found. */
interface Place {
  readonly path: string
  readonly name: string
  /** Whether it is one part that ends with a commit line. */
  readonly isIntact: boolean
}

/** Lets others run between slices of work that does not wait for anything. */
class Pauses {
  // Not `performance.now`, whose module Node loads at its first use: that takes longer than a hundred sessions.
  private sliceEnd = Date.now() + SLICE_MS

  isDue(): boolean {
    return Date.now() > this.sliceEnd
  }

  async take(): Promise<void> {
    await setImmediate()
    this.sliceEnd = Date.now() + SLICE_MS
  }
}

function readRoot(fs: FileSystem, directory: string): DirectoryEntry[] {
  try {
    return fs.now.entries(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw storageFailed('list the sessions', error, { file: directory })
  }
}

interface Scratch {
  readonly head: Buffer
  readonly tail: Buffer
}

/** The entry of a log of one part that ends with a commit line; undefined for any that has to be looked at closely. */
function glance(fs: FileSystem, path: string, scratch: Scratch): ListEntry | undefined {
  try {
    const file = path + sep + FIRST_PART
    const fd = fs.now.open(file)
    try {
      const entry = describe(fs, fd, file, scratch)
      // The part after this one could have no other name. Reading the directory would take longer than all the rest.
      const isOnlyPart = entry && (entry.nextSeq === 0 || !fs.now.exists(path + sep + partName(entry.nextSeq)))
      return isOnlyPart ? entry : undefined
    } finally {
      fs.now.close(fd)
    }
  } catch {
    return undefined
  }
}

function describe(fs: FileSystem, fd: number, file: string, { head, tail }: Scratch): ListEntry | undefined {
  const length = fs.now.read(fd, head, 0)
  // What is read short ends there; asking costs as much as reading.
  const bytes = length < head.length ? length : fs.now.size(fd)
  const headerEnd = head.indexOf(LINE_FEED) + 1
  if (headerEnd === 0 || headerEnd > length) return undefined
  const header = parseHeaderLine(head.subarray(0, headerEnd - 1), file)
  const start = bytes > length ? Math.max(headerEnd, bytes - tail.length) : headerEnd
  if (bytes > length) fs.now.read(fd, tail, start)
  const window = bytes > length ? tail.subarray(0, bytes - start) : head.subarray(headerEnd, bytes)
  const feed = window.length - 1
  const lastLine = window.lastIndexOf(LINE_FEED, feed - 1) + 1
  const isLineStart = lastLine > 0 || start === headerEnd
  if (!isLineStart || window[feed] !== LINE_FEED) return undefined
  const commit = parseCommitLine(window, lastLine, feed)
  if (!commit || commit.next < (header.seedLength ?? 0)) return undefined
  const isUnfinished = endsInTurn(window.subarray(0, lastLine), start === headerEnd)
  const state = isUnfinished ? 'unfinished' : 'ok'
  return { id: header.id, header, nextSeq: commit.next, lastTime: lastActivity(header, commit.time), state, bytes }
}

/** Opens the log to tell what it is; undefined when it is gone, or none at all. */
async function examine(fs: FileSystem, path: string, name: string): Promise<ListEntry | undefined> {
  let stored: StoredLog
  try {
    stored = await openParts(fs, path, undefined, 'read')
  } catch (error) {
    if (isSessionError(error, 'SESSION_NOT_FOUND')) return undefined
    // What cannot be told at the moment is shown.
    if (await isForeign(fs, path, withoutNumber(name)).catch(() => false)) return undefined
    const { id = name } = (error as SessionError).details
    return { id: id as SessionId, nextSeq: 0, lastTime: 0, state: 'corrupt', error: error as Error }
  }
  const { header, parts } = stored
  const bytes = parts.reduce((sum, part) => sum + part.size, 0)
  const known = { id: header.id, header, lastTime: header.createdAt, bytes }
  try {
    const { last, tail } = await findEnd(stored, { thorough: false })
    const isTorn = last.size > tail.end || tail.keptEvents > 0
    const lastTime = lastActivity(header, tail.lastTime)
    return { ...known, nextSeq: tail.next, lastTime, state: isTorn ? 'unfinished' : 'ok' }
  } catch (cause) {
    const error = storageFailed('read the log', cause, { file: path, session: header.id })
    return { ...known, nextSeq: error.seq ?? 0, state: 'corrupt', error }
  } finally {
    await closeParts(parts)
  }
}

/** A directory that was copied or renamed would show one session twice, or one that cannot be opened. */
function checkName(entry: ListEntry, name: string, path: string): ListEntry {
  if (entry.header === undefined) return entry
  const slug = sessionSlug(entry.id)
  if (name === slug || withoutNumber(name) === slug) return entry
  const place = { file: path, session: entry.id }
  const error = new SessionError('SESSION_CORRUPT', { expected: `a directory named ${slug}`, found: name, ...place })
  return { ...entry, state: 'corrupt', error }
}

/** In the trash a number may follow the name of a session. */
function withoutNumber(name: string): string {
  return name.replace(/\.\d+$/, '')
}
