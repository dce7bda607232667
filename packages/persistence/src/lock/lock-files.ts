import * as fs from 'node:fs'

/** How a file is opened: `create` needs a name that is free; `replace` empties what is there, `lock` does not. */
export type LockOpenFlag = 'read' | 'create' | 'replace' | 'lock'

/** The file operations that a lock is made of, so that a test can stand in for the disk. */
export interface LockFiles {
  open(path: string, flag: LockOpenFlag): Promise<number>
  close(fd: number): Promise<void>
  lstat(path: string): Promise<{ readonly dev: number; readonly ino: number }>
  /** Reads up to `into.length` bytes. */
  read(fd: number, into: Uint8Array, position: number): Promise<number>
  write(fd: number, bytes: Uint8Array, position: number): Promise<number>
  unlink(path: string): Promise<void>
}

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR, O_TRUNC } = fs.constants

const flags: Record<LockOpenFlag, number> = {
  read: O_RDONLY | O_NOFOLLOW,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
  replace: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW,
  lock: O_RDWR | O_CREAT | O_NOFOLLOW,
}

const FILE_MODE = 0o600

/** The real file system. */
export const nodeLockFiles: LockFiles = {
  open: (path, flag) => call(done => fs.open(path, flags[flag], FILE_MODE, done)),
  close: fd => call(done => fs.close(fd, done as fs.NoParamCallback)),
  lstat: path => call<fs.Stats>(done => fs.lstat(path, done)),
  read: (fd, into, position) => call(done => fs.read(fd, into, 0, into.length, position, done)),
  write: (fd, bytes, position) => call(done => fs.write(fd, bytes, 0, bytes.length, position, done)),
  unlink: path => call(done => fs.unlink(path, done as fs.NoParamCallback)),
}

function call<T>(operation: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => operation((error, value) => (error ? reject(error) : resolve(value))))
}
