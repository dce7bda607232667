import { hostname } from 'node:os'
import type { FileSystem } from './fs.js'
import { OpenFile } from './open-file.js'

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
export async function writeHolder(fs: FileSystem, lockPath: string): Promise<void> {
  const holder: Holder = { pid: process.pid, host: hostname(), since: Date.now() }
  await OpenFile.open(fs, holderPath(lockPath), 'replace')
    .then(async file => {
      await file.write(Buffer.from(`${JSON.stringify(holder)}\n`), 0).finally(() => file.close())
    })
    .catch(() => {})
}

/** Removes the note; to be done before the lock is released. */
export async function removeHolder(fs: FileSystem, lockPath: string): Promise<void> {
  await fs.unlink(holderPath(lockPath)).catch(() => {})
}

/** Who holds the lock, as far as that was noted. */
export async function readHolder(fs: FileSystem, lockPath: string): Promise<Holder | undefined> {
  try {
    const file = await OpenFile.open(fs, holderPath(lockPath), 'read')
    const bytes = Buffer.alloc(LONGEST)
    const length = await file.read(bytes, 0).finally(() => file.close())
    const { pid, host, since } = JSON.parse(bytes.toString('utf8', 0, length))
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'number'
      ? { pid, host, since }
      : undefined
  } catch {
    return undefined
  }
}
