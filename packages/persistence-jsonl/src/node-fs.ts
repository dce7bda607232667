import * as fs from 'node:fs'
import type { DirectoryEntry, FileStat, FileSystem, OpenFlag } from './fs.js'
import { createGate } from './gate.js'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR, O_TRUNC } = fs.constants

const flags: Record<OpenFlag, number> = {
  read: O_RDONLY | O_NOFOLLOW,
  write: O_RDWR | O_NOFOLLOW,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
  replace: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW,
  lock: O_RDWR | O_CREAT | O_NOFOLLOW,
}

const FILE_MODE = 0o600
const DIRECTORY_MODE = 0o700

/** The thread pool has four threads by default and belongs to the whole application. */
const POOL_SHARE = 2

const gate = createGate(POOL_SHARE)

type Callback<T> = (error: NodeJS.ErrnoException | null, value: T) => void

function call<T>(operation: (done: Callback<T>) => void): Promise<T> {
  return gate(
    () => new Promise<T>((resolve, reject) => operation((error, value) => (error ? reject(error) : resolve(value)))),
  )
}

function toStat(stat: fs.Stats): FileStat {
  const { size, nlink, dev, ino } = stat
  return { kind: kindOf(stat), size, nlink, dev, ino }
}

function kindOf(entry: fs.Stats | fs.Dirent): FileStat['kind'] {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other'
}

async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory as a file; it makes names durable by itself.
  if (process.platform === 'win32') return
  const fd = await call<number>(done => fs.open(path, O_RDONLY | (O_DIRECTORY ?? 0), done))
  try {
    await call<void>(done => fs.fsync(fd, done as Callback<unknown>))
  } finally {
    await call<void>(done => fs.close(fd, done as Callback<unknown>))
  }
}

/** The real file system, on raw descriptors: half the cost of `FileHandle`, and no descriptor that a collector closes. */
export const nodeFileSystem: FileSystem = {
  open: (path, flag) => call(done => fs.open(path, flags[flag], FILE_MODE, done)),
  close: fd => call<void>(done => fs.close(fd, done as Callback<unknown>)),
  fstat: async fd => toStat(await call<fs.Stats>(done => fs.fstat(fd, done))),
  lstat: async path => toStat(await call<fs.Stats>(done => fs.lstat(path, done))),
  read: (fd, into, position) => call(done => fs.read(fd, into, 0, into.length, position, done)),
  write: (fd, bytes, position) => call(done => fs.write(fd, bytes, 0, bytes.length, position, done)),
  ftruncate: (fd, size) => call<void>(done => fs.ftruncate(fd, size, done as Callback<unknown>)),
  fdatasync: fd => call<void>(done => fs.fdatasync(fd, done as Callback<unknown>)),
  mkdir: path => call<void>(done => fs.mkdir(path, DIRECTORY_MODE, done as Callback<unknown>)),
  readdir: path => call(done => fs.readdir(path, done)),
  rename: (from, to) => call<void>(done => fs.rename(from, to, done as Callback<unknown>)),
  unlink: path => call<void>(done => fs.unlink(path, done as Callback<unknown>)),
  rmdir: path => call<void>(done => fs.rmdir(path, done as Callback<unknown>)),
  syncDirectory,
  now: {
    open: path => fs.openSync(path, flags.read),
    close: fd => fs.closeSync(fd),
    size: fd => fs.fstatSync(fd).size,
    read: (fd, into, position) => fs.readSync(fd, into, 0, into.length, position),
    readdir: path => fs.readdirSync(path),
    entries: path =>
      fs.readdirSync(path, { withFileTypes: true }).map((entry): DirectoryEntry => ({
        name: entry.name,
        kind: kindOf(entry),
      })),
    exists: path => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  },
}
