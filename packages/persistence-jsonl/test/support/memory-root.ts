import type { StoredRecord } from '@dsh/persistence/driver'
import { sessionSlug } from '@dsh/persistence/lock'
import { JsonlDriver } from '../../src/driver.js'
import { TRASH } from '../../src/layout.js'
import type { Durability } from '../../src/root.js'
import { type FileNode, MemoryDisk } from './memory-disk.js'
import { memoryLocker } from './memory-locker.js'
import { header } from './records.js'

export const ROOT = '/root'

/** A driver on a disk in memory; each call stands for a process of its own. */
export function driverOn(disk: MemoryDisk, durability: Durability = 'fsync'): JsonlDriver {
  return new JsonlDriver({ root: ROOT, durability }, { fs: disk, locker: memoryLocker() })
}

export function directoryOf(id: string): string {
  return `${ROOT}/${sessionSlug(id)}`
}

export function trashDirectoryOf(id: string): string {
  return `${ROOT}/${TRASH}/${sessionSlug(id)}`
}

/** Stores a session with the same records under each of the ids. */
export async function storedOn(
  disk: MemoryDisk,
  records: readonly StoredRecord[],
  ...ids: string[]
): Promise<MemoryDisk> {
  for (const id of ids) await (await driverOn(disk).create(header(id), records)).close()
  return disk
}

/** The file of a log of one part. */
export function logFile(disk: MemoryDisk, id = 's', part = 0): FileNode {
  const node = disk.find(`${directoryOf(id)}/log-${part}.jsonl`)
  if (node?.kind === 'file') return node
  throw new Error(`there is no part ${part} of ${id}`)
}

/** Puts a file there, as somebody else would. */
export async function putFile(disk: MemoryDisk, path: string, bytes: Buffer | string): Promise<void> {
  const names = path.split('/').slice(1, -1)
  for (let depth = 1; depth <= names.length; depth++) {
    const directory = `/${names.slice(0, depth).join('/')}`
    if (!disk.find(directory)) await disk.mkdir(directory)
  }
  const fd = await disk.open(path, 'replace')
  await disk.write(fd, Buffer.from(bytes), 0)
  await disk.fdatasync(fd)
  await disk.close(fd)
}

export { MemoryDisk }
