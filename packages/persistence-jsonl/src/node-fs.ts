import * as fs from 'node:fs'
import type { DirectoryEntry, FileStat, FileSystem, OpenFlag } from './fs.js'
import { isErrno } from './storage-error.js'

const {
  O_CREAT,
  O_DIRECTORY,
  O_DSYNC = 0,
  O_EXCL,
  O_NOFOLLOW = 0,
  O_NONBLOCK = 0,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
} = fs.constants

/**
 * Whether a write to a file that was opened with `O_DSYNC` is as durable as one that `fdatasync` follows. macOS needs
 * `F_FULLFSYNC`, which only the latter asks for.
 */
const syncsOnWrite = process.platform === 'linux' && O_DSYNC !== 0

const flags: Record<OpenFlag, number> = {
  // A pipe in its place would otherwise be waited for.
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  write: O_RDWR | O_NOFOLLOW,
  'write-through': O_RDWR | O_NOFOLLOW | (syncsOnWrite ? O_DSYNC : 0),
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
  replace: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW,
}

const FILE_MODE = 0o600
const DIRECTORY_MODE = 0o700

type Callback<T> = (error: NodeJS.ErrnoException | null, value: T) => void

function call<T>(operation: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => operation((error, value) => (error ? reject(error) : resolve(value))))
}

function perform(operation: (done: fs.NoParamCallback) => void): Promise<void> {
  return new Promise((resolve, reject) => operation(error => (error ? reject(error) : resolve())))
}

function toStat(stat: fs.Stats): FileStat {
  const { size, nlink, dev, ino } = stat
  return { kind: kindOf(stat), size, nlink, dev, ino }
}

function kindOf(entry: fs.Stats | fs.Dirent): FileStat['kind'] {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other'
}

const write: FileSystem['write'] = (fd, bytes, position) =>
  call(done => fs.write(fd, bytes, 0, bytes.length, position, done))

const fdatasync: FileSystem['fdatasync'] = fd => perform(done => fs.fdatasync(fd, done))

async function writeAndSync(fd: number, bytes: Uint8Array, position: number): Promise<number> {
  const count = await write(fd, bytes, position)
  await fdatasync(fd)
  return count
}

/** What a file system answers that syncs no directories; it then makes names durable by itself, or cannot. */
const noDirectorySync = ['EINVAL', 'ENOTSUP', 'EROFS']

async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory as a file.
  if (process.platform === 'win32') return
  const fd = await call<number>(done => fs.open(path, O_RDONLY | (O_DIRECTORY ?? 0), done))
  try {
    await perform(done => fs.fsync(fd, done))
  } catch (error) {
    if (!isErrno(error, ...noDirectorySync)) throw error
  } finally {
    await perform(done => fs.close(fd, done))
  }
}

/** The real file system, on raw descriptors: half the cost of `FileHandle`, and no descriptor that a collector closes. */
export const nodeFileSystem: FileSystem = {
  open: (path, flag) => call(done => fs.open(path, flags[flag], FILE_MODE, done)),
  close: fd => perform(done => fs.close(fd, done)),
  fstat: async fd => toStat(await call<fs.Stats>(done => fs.fstat(fd, done))),
  lstat: async path => toStat(await call<fs.Stats>(done => fs.lstat(path, done))),
  read: (fd, into, position) => call(done => fs.read(fd, into, 0, into.length, position, done)),
  write,
  // One trip through the thread pool instead of two.
  writeThrough: syncsOnWrite ? write : writeAndSync,
  ftruncate: (fd, size) => perform(done => fs.ftruncate(fd, size, done)),
  fdatasync,
  mkdir: path => perform(done => fs.mkdir(path, DIRECTORY_MODE, done)),
  readdir: path => call(done => fs.readdir(path, done)),
  rename: (from, to) => perform(done => fs.rename(from, to, done)),
  unlink: path => perform(done => fs.unlink(path, done)),
  rmdir: path => perform(done => fs.rmdir(path, done)),
  syncDirectory,
  now: {
    open: path => fs.openSync(path, flags.read),
    close: fd => fs.closeSync(fd),
    size: fd => fs.fstatSync(fd).size,
    fstat: fd => toStat(fs.fstatSync(fd)),
    read: (fd, into, position) => fs.readSync(fd, into, 0, into.length, position),
    readdir: path => fs.readdirSync(path),
    entries: path =>
      fs.readdirSync(path, { withFileTypes: true }).map(
        (entry): DirectoryEntry => ({
          name: entry.name,
          kind: kindOf(entry),
        }),
      ),
    exists: path => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  },
}
