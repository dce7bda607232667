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
export function writeHolder(files: LockFiles, lockPath: string): void {
  const holder: Holder = { pid: process.pid, host: hostname(), since: Date.now() }
  try {
    const fd = files.open(holderPath(lockPath), 'replace')
    try {
      files.write(fd, Buffer.from(`${JSON.stringify(holder)}\n`), 0)
    } finally {
      files.close(fd)
    }
  } catch {}
}

/** Removes the note; to be done before the lock is released. */
export function removeHolder(files: LockFiles, lockPath: string): void {
  try {
    files.unlink(holderPath(lockPath))
  } catch {}
}

/** Who holds the lock, as far as that was noted. */
export function readHolder(files: LockFiles, lockPath: string): Holder | undefined {
  try {
    const fd = files.open(holderPath(lockPath), 'read')
    const bytes = Buffer.alloc(LONGEST)
    let length: number
    try {
      length = files.read(fd, bytes, 0)
    } finally {
      files.close(fd)
    }
    const { pid, host, since } = JSON.parse(bytes.toString('utf8', 0, length))
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'number'
      ? { pid, host, since }
      : undefined
  } catch {
    return undefined
  }
}
