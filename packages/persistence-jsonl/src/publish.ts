import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { StoredRecord } from '@dsh/persistence/driver'
import { checkRecords } from '@dsh/persistence/driver'
import type { SessionHeader } from '@dsh/session'
import { SessionError } from '@dsh/session'
import { lookUp, moveDirectory, removeTree } from './directories.js'
import { encodeBatches } from './encode-batch.js'
import { formatHeaderLine, parseHeaderLine } from './header-line.js'
import { partName } from './layout.js'
import { OpenFile } from './open-file.js'
import type { Root } from './root.js'
import { isErrno, outcomeUnknown, storageFailed } from './storage-error.js'

/**
 * Publishes a session whose ownership the caller has: a directory with header and records is written aside, synced, and
 * renamed into place, so that it is there as a whole or not at all.
 * @throws SESSION_ALREADY_EXISTS, INVALID_EVENT, STORAGE_FAILED
 */
export async function publish(root: Root, header: SessionHeader, records: readonly StoredRecord[]): Promise<void> {
  const { directory, slug } = root.paths(header.id)
  const place = { file: directory, session: header.id }
  try {
    await refuseExisting(root, directory, header.id)
    const staged = await root.stage(slug)
    try {
      await writeSession(root, staged, header, records)
      await moveIntoPlace(root, staged, directory, header.id)
    } catch (error) {
      await removeTree(root.fs, staged).catch(() => {})
      throw error
    }
  } catch (cause) {
    throw storageFailed('publish the session', cause, place)
  }
}

/** Refuses what could not be opened again as it is. @throws INVALID_EVENT, FORMAT_UNSUPPORTED */
export function checkSession(header: SessionHeader, records: readonly StoredRecord[]): void {
  checkRecords(records, 0, header.id)
  try {
    parseHeaderLine(formatHeaderLine(header).subarray(0, -1), 'header')
  } catch (error) {
    const { code, expected, found } = error as SessionError
    if (code === 'FORMAT_UNSUPPORTED') throw error
    throw new SessionError('INVALID_EVENT', { expected, found, session: header.id, path: 'header' })
  }
  const { seedLength = 0 } = header
  const last = records.at(-1)
  const length = last ? last.seq + last.count : 0
  if (length >= seedLength) return
  throw new SessionError('INVALID_EVENT', {
    expected: `the ${seedLength} events that the header says are inherited`,
    found: `${length}`,
    session: header.id,
    path: 'header.seedLength',
  })
}

async function refuseExisting(root: Root, directory: string, session: string): Promise<void> {
  const stat = await lookUp(root.fs, directory)
  if (!stat) return
  // What is left of a directory whose contents somebody deleted holds no session.
  const isEmpty = stat.kind === 'directory' && (await root.fs.readdir(directory)).length === 0
  if (!isEmpty) throw alreadyExists({ file: directory, session })
  await root.fs.rmdir(directory)
}

async function writeSession(
  root: Root,
  directory: string,
  header: SessionHeader,
  records: readonly StoredRecord[],
): Promise<void> {
  const line = formatHeaderLine(header)
  await root.fs.mkdir(directory)
  const file = await OpenFile.open(root.fs, join(directory, partName(0)), 'create')
  try {
    let end = 0
    let pending: Buffer[] = [line]
    for (const { bytes } of encodeBatches(records, crc32(line), 0, header.createdAt)) {
      const chunk = Buffer.concat([...pending, bytes])
      pending = []
      await file.write(chunk, end)
      end += chunk.length
    }
    if (root.durable) await file.sync()
  } finally {
    await file.close()
  }
  await root.syncDirectory(directory)
}

async function moveIntoPlace(root: Root, staged: string, directory: string, session: string): Promise<void> {
  await moveDirectory(root.fs, staged, directory).catch(error => {
    // Somebody who takes no lock was quicker.
    throw isErrno(error, 'ENOTEMPTY', 'EEXIST') ? alreadyExists({ file: directory, session }) : error
  })
  try {
    await root.syncDirectory(root.path)
  } catch (cause) {
    // The name may or may not be on the disk. Taken back, the session is as absent as the caller is told.
    await moveDirectory(root.fs, directory, staged).catch(() => {
      throw outcomeUnknown('publish the session', cause, { file: directory, session })
    })
    throw cause
  }
}

function alreadyExists(place: { file: string; session: string }): SessionError {
  return new SessionError('SESSION_ALREADY_EXISTS', {
    expected: 'an id that is not stored',
    found: 'a stored session',
    ...place,
  })
}
