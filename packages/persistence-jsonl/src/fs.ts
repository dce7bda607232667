/** How a file is opened. None of them follows a symbolic link in the last segment. */
export type OpenFlag = 'read' | 'write' | 'write-through' | 'create' | 'replace'

/** What is known of a file or directory. `dev` and `ino` together name it as long as it exists. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other'
  readonly size: number
  /** Names that the file has left; 0 once it is unlinked. */
  readonly nlink: number
  readonly dev: number
  readonly ino: number
}

/**
 * The few file operations that the log is built on. Everything that touches the disk goes through here, so that a test
 * can fail each of them, or cut the power between two.
 */
export interface FileSystem {
  /** `write` and `write-through` need an existing file, `create` a name that is free; `replace` empties what is there. */
  open(path: string, flag: OpenFlag): Promise<number>
  close(fd: number): Promise<void>
  fstat(fd: number): Promise<FileStat>
  lstat(path: string): Promise<FileStat>
  /** Reads up to `into.length` bytes; 0 at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): Promise<number>
  /** Writes some of `bytes` and says how many. */
  write(fd: number, bytes: Uint8Array, position: number): Promise<number>
  /** As {@link write}, to a file opened for `write-through`; what it says it has written is durable. */
  writeThrough(fd: number, bytes: Uint8Array, position: number): Promise<number>
  ftruncate(fd: number, size: number): Promise<void>
  /** Makes contents and size durable. */
  fdatasync(fd: number): Promise<void>
  /** Creates one directory for its owner only. */
  mkdir(path: string): Promise<void>
  readdir(path: string): Promise<string[]>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  rmdir(path: string): Promise<void>
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>
  /** For what is done very often and never waits for a disk: a trip through the thread pool costs many times the call. */
  readonly now: SyncFileSystem
}

/** Operations without the thread pool. */
export interface SyncFileSystem {
  open(path: string): number
  close(fd: number): void
  size(fd: number): number
  fstat(fd: number): FileStat
  read(fd: number, into: Uint8Array, position: number): number
  readdir(path: string): string[]
  entries(path: string): DirectoryEntry[]
  exists(path: string): boolean
}

export interface DirectoryEntry {
  readonly name: string
  readonly kind: FileStat['kind']
}
