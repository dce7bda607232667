import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { SessionError } from '@dsh/session'

/** Network file systems by the number that Linux gives them. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x73757245, 'Coda'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x7461636f, 'OCFS2'],
  [0x01161970, 'GFS2'],
])

/** The number of the type of the file system that `directory` lies on. */
export type FileSystemType = (directory: string) => number

const systemType: FileSystemType = directory => statfsSync(directory).type

/**
 * Refuses a directory on a network file system, where the memory that the connections of a WAL database share does not
 * reach the other machines, and they overwrite each other. What cannot be told, as on macOS, is let through.
 * @param directory of which the last parts need not be there yet
 * @throws STORAGE_FAILED
 */
export function refuseNetworkFileSystem(directory: string, typeOf: FileSystemType = systemType): void {
  const name = isShare(directory) ? 'a network share' : networkType(directory, typeOf)
  if (name === undefined) return
  throw new SessionError('STORAGE_FAILED', {
    expected: 'a directory on a local file system',
    found: name,
    file: directory,
    details: { indeterminate: false },
  })
}

function networkType(directory: string, typeOf: FileSystemType): string | undefined {
  if (process.platform !== 'linux') return undefined
  let existing = directory
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing)
  return networkTypes.get(typeOf(existing))
}

function isShare(directory: string): boolean {
  return process.platform === 'win32' && /^[\\/]{2}[^?.]/.test(directory)
}
