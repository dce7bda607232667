import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { SessionHeader } from '@dsh/session'
import { SessionError } from '@dsh/session'
import { lookUp } from './directories.js'
import type { FileSystem, OpenFlag } from './fs.js'
import { parseHeaderLine } from './header-line.js'
import { findParts, partName } from './layout.js'
import { OpenFile } from './open-file.js'
import type { LogPart } from './recover.js'
import type { ByteSource } from './source.js'
import { readRange } from './source.js'
import { isErrno, notFound, storageFailed } from './storage-error.js'

/** The files of one stored session, open. */
export interface StoredLog {
  readonly header: SessionHeader
  readonly parts: readonly OpenPart[]
}

export interface OpenPart extends LogPart {
  readonly source: OpenFile
}

/**
 * Opens the parts of the log in `directory` and reads their headers. Only the last is opened with `flag`.
 * @param id the id that the header must have; any, when it is absent
 * @throws SESSION_NOT_FOUND, SESSION_CORRUPT, FORMAT_UNSUPPORTED, STORAGE_FAILED
 */
export async function openParts(
  fs: FileSystem,
  directory: string,
  id: string | undefined,
  flag: OpenFlag,
): Promise<StoredLog> {
  const seqs = await findPartSeqs(fs, directory, id)
  if (seqs[0] !== 0) {
    const found = seqs.length === 0 ? 'no part of a log' : partName(seqs[0]!)
    const place = { file: directory, ...(id !== undefined && { session: id }) }
    throw new SessionError('SESSION_CORRUPT', { expected: `the first part ${partName(0)}`, found, ...place })
  }
  const parts: OpenPart[] = []
  let header: SessionHeader | undefined
  try {
    for (const firstSeq of seqs) {
      const file = join(directory, partName(firstSeq))
      const isLast = firstSeq === seqs[seqs.length - 1]
      const source = await OpenFile.open(fs, file, isLast ? flag : 'read').catch(async error => {
        // It was removed, or moved to the trash, since its parts were looked for.
        if (isErrno(error, 'ENOENT') && !(await lookUp(fs, directory))) throw notFound(directory, id)
        throw storageFailed('open the log', error, { file, ...(id !== undefined && { session: id }) })
      })
      const opened = await readPart(source, firstSeq, id ?? header?.id).catch(async error => {
        await source.close()
        throw storageFailed('read the log', error, { file, ...(id !== undefined && { session: id }) })
      })
      parts.push(opened.part)
      header ??= opened.header
    }
    return { header: header!, parts }
  } catch (error) {
    await closeParts(parts)
    throw error
  }
}

export async function closeParts(parts: readonly OpenPart[]): Promise<void> {
  for (const { source } of parts) await source.close()
}

/**
 * The sequence numbers that the parts of the log in `directory` start at, as far as there are any.
 * @throws SESSION_NOT_FOUND, SESSION_CORRUPT when it is no directory, STORAGE_FAILED
 */
export async function findPartSeqs(fs: FileSystem, directory: string, session: string | undefined): Promise<number[]> {
  const place = { file: directory, ...(session !== undefined && { session }) }
  let names: string[]
  try {
    const stat = await fs.lstat(directory)
    // A link could lead anywhere, and what is written through it would lie outside the root.
    if (stat.kind !== 'directory') {
      throw new SessionError('SESSION_CORRUPT', { expected: 'a directory', found: 'something else', ...place })
    }
    names = await fs.readdir(directory)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw storageFailed('look at the session', error, place)
    throw notFound(directory, session)
  }
  return findParts(names)
}

async function readPart(
  source: OpenFile,
  firstSeq: number,
  session: string | undefined,
): Promise<{ part: OpenPart; header: SessionHeader }> {
  const { file } = source
  const { size } = await source.stat()
  const line = await readHeaderLine(source, size)
  const header = parseHeaderLine(line.subarray(0, -1), file)
  if (session !== undefined && header.id !== session) {
    throw new SessionError('SESSION_CORRUPT', {
      expected: `the session ${JSON.stringify(session)}`,
      found: `the header of ${JSON.stringify(header.id)}`,
      session,
      file,
      line: 1,
      byte: 0,
    })
  }
  const start = { byte: line.length, next: firstSeq, lines: 1 }
  return { part: { session: header.id, source, size, start, seed: crc32(line) }, header }
}

const FIRST_READ = 4096
const LONGEST_HEADER = 1024 * 1024

/** The header line of a file of `size` bytes, with its line feed. @throws SESSION_CORRUPT when there is none */
export async function readHeaderLine(source: ByteSource, size: number): Promise<Buffer> {
  for (let length = FIRST_READ; ; length *= 4) {
    const head = await readRange(source, 0, Math.min(size, length))
    const feed = head.indexOf(0x0a)
    if (feed >= 0) return head.subarray(0, feed + 1)
    if (head.length >= size || length >= LONGEST_HEADER) {
      const found = size === 0 ? 'an empty file' : `${head.length} bytes without a line feed`
      throw new SessionError('SESSION_CORRUPT', {
        expected: 'a header line',
        found,
        file: source.file,
        line: 1,
        byte: 0,
      })
    }
  }
}
