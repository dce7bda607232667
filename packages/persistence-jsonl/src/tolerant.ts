import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { TolerantItem, TolerantRead } from '@dsh/persistence/driver'
import { sessionSlug } from '@dsh/persistence/lock'
import type { SessionHeader } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import { readBlocks } from './blocks.js'
import type { FileSystem } from './fs.js'
import { parseHeaderLine } from './header-line.js'
import { partName } from './layout.js'
import { OpenFile } from './open-file.js'
import { isErrno, storageFailed } from './storage-error.js'
import { findPartSeqs, readHeaderLine } from './stored-log.js'
import { TolerantLines } from './tolerant-lines.js'

const outOfReach = ['EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOMEM']

/**
 * Reads a stored session as far as that goes, damaged or not.
 * @throws SESSION_NOT_FOUND, FORMAT_UNSUPPORTED, STORAGE_FAILED
 */
export async function readTolerant(fs: FileSystem, directory: string, id: string): Promise<TolerantRead> {
  const seqs = await findPartSeqs(fs, directory, id)
  let header: SessionHeader | undefined
  for (const seq of seqs) {
    const path = join(directory, partName(seq))
    const file = await OpenFile.open(fs, path, 'read').catch(error => {
      // What cannot be read at the moment is not lost; to go on without it would be to say that it is.
      if (isErrno(error, ...outOfReach)) throw storageFailed('open the log', error, { file: path, session: id })
      return undefined
    })
    const part = file && (await readHead(file, id).finally(() => file.close()))
    header ??= part?.header
  }
  return { ...(header && { header }), items: readParts(fs, directory, seqs, id) }
}

async function* readParts(
  fs: FileSystem,
  directory: string,
  seqs: readonly number[],
  session: string,
): AsyncGenerator<TolerantItem> {
  if (seqs[0] !== 0) yield { kind: 'unreadable', reason: `the part ${partName(0)} is missing` }
  for (const seq of seqs) {
    const path = join(directory, partName(seq))
    try {
      const file = await OpenFile.open(fs, path, 'read')
      try {
        yield* readPart(file, session)
      } finally {
        await file.close()
      }
    } catch (error) {
      const { message } = storageFailed('read the log', error, { file: path, session })
      yield { kind: 'unreadable', reason: message }
    }
  }
}

async function* readPart(file: OpenFile, session: string): AsyncGenerator<TolerantItem> {
  const { size } = await file.stat()
  const { start, seed, reason } = await readHead(file, session)
  if (reason !== undefined) yield { kind: 'unreadable', reason, byte: 0, bytes: start }
  const lines = new TolerantLines(start, seed)
  for await (const block of readBlocks(file, start, size, { retain: true })) yield* lines.add(block)
}

interface Head {
  readonly header?: SessionHeader
  /** After the header line; 0 when the first line is none, and may be a row. */
  readonly start: number
  /** crc32 of the header line; absent when it cannot be told. */
  readonly seed?: number
  readonly reason?: string
}

async function readHead(file: OpenFile, session: string): Promise<Head> {
  try {
    const line = await readHeaderLine(file, (await file.stat()).size)
    const header = parseHeaderLine(line.subarray(0, -1), file.file)
    const known = { start: line.length, seed: crc32(line) }
    // The name of the directory stands for an id that cannot be read elsewhere.
    if (header.id === session || sessionSlug(header.id) === basename(dirname(file.file))) return { ...known, header }
    return { ...known, reason: `the header is that of session ${JSON.stringify(header.id)}` }
  } catch (error) {
    if (isSessionError(error, 'FORMAT_UNSUPPORTED')) throw error
    return { start: 0, reason: (error as Error).message }
  }
}
