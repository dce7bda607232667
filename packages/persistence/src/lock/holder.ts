import { hostname } from 'node:os'
import type { LockFiles } from './lock-files.js'

/** Who holds a session: for people, never for deciding whether it is held. */
export interface Holder {
  readonly pid: number
  readonly host: string
  /** Unix epoch milliseconds. */
  readonly since: number
}

const LONGEST = 4096

function holderPath(lockPath: string): string {
  return `${lockPath}.holder`
}

/** Notes beside a lock that this process holds it. A failure costs a refused writer the name, and nothing else. */
export async function writeHolder(files: LockFiles, lockPath: string): Promise<void> {
  const holder: Holder = { pid: process.pid, host: hostname(), since: Date.now() }
  const bytes = Buffer.from(`${JSON.stringify(holder)}\n`)
  await files
    .open(holderPath(lockPath), 'replace')
    .then(fd => files.write(fd, bytes, 0).finally(() => files.close(fd)))
    .catch(() => {})
}

/** Removes the note; to be done before the lock is released. */
export async function removeHolder(files: LockFiles, lockPath: string): Promise<void> {
  await files.unlink(holderPath(lockPath)).catch(() => {})
}

/** Who holds the lock, as far as that was noted. */
export async function readHolder(files: LockFiles, lockPath: string): Promise<Holder | undefined> {
  try {
    const fd = await files.open(holderPath(lockPath), 'read')
    const bytes = Buffer.alloc(LONGEST)
    const length = await files.read(fd, bytes, 0).finally(() => files.close(fd))
    const { pid, host, since } = JSON.parse(bytes.toString('utf8', 0, length))
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'number'
      ? { pid, host, since }
      : undefined
  } catch {
    return undefined
  }
}
