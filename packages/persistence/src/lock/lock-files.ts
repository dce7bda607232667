import * as fs from 'node:fs'

/** How a file is opened: `create` needs a name that is free; `replace` empties what is there, `lock` does not. */
export type LockOpenFlag = 'read' | 'create' | 'replace' | 'lock'

/**
 * The file operations that a lock is made of, so that a test can stand in for the disk. Without promises: they are few and
 * small, and a trip through the thread pool takes several times as long as each.
 */
export interface LockFiles {
  open(path: string, flag: LockOpenFlag): number
  close(fd: number): void
  lstat(path: string): { readonly dev: number; readonly ino: number }
  /** Reads up to `into.length` bytes. */
  read(fd: number, into: Uint8Array, position: number): number
  write(fd: number, bytes: Uint8Array, position: number): number
  unlink(path: string): void
}

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_TRUNC } = fs.constants

const flags: Record<LockOpenFlag, number> = {
  // A pipe in its place would otherwise be waited for.
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
  replace: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW,
  lock: O_RDWR | O_CREAT | O_NOFOLLOW,
}

const FILE_MODE = 0o600

/** The real file system. */
export const nodeLockFiles: LockFiles = {
  open: (path, flag) => fs.openSync(path, flags[flag], FILE_MODE),
  close: fd => fs.closeSync(fd),
  lstat: path => fs.lstatSync(path),
  read: (fd, into, position) => fs.readSync(fd, into, 0, into.length, position),
  write: (fd, bytes, position) => fs.writeSync(fd, bytes, 0, bytes.length, position),
  unlink: path => fs.unlinkSync(path),
}
