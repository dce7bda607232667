import type { DirectoryEntry, FileStat, FileSystem, OpenFlag } from '../../src/fs.js'

/** A change to a file that is not on the disk yet. */
export type FileChange =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }

/** A change to names that is not on the disk yet. Renames are atomic. */
export interface NameChange {
  readonly directories: readonly DirectoryNode[]
  apply(entriesOf: (directory: DirectoryNode) => Map<string, Node>): void
}

export class FileNode {
  readonly kind = 'file'
  /** What readers see. */
  bytes: Buffer
  /** What a power cut leaves, with some of {@link pending}. */
  durable: Buffer
  pending: FileChange[] = []

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.bytes = bytes
    this.durable = bytes
  }
}

export class DirectoryNode {
  readonly kind = 'directory'
  entries = new Map<string, Node>()
  durable = new Map<string, Node>()
}

export type Node = FileNode | DirectoryNode

/** What is done to one operation: fail it before or after its effect, or let a write take only some bytes. */
export type Fault =
  | { readonly kind: 'before' | 'after'; readonly code: string }
  | { readonly kind: 'short'; readonly bytes: number; readonly code?: string }

/** One operation that was asked for. */
export interface Operation {
  readonly name: string
  readonly path: string
}

export function applyChange(bytes: Buffer, change: FileChange): Buffer {
  if (change.kind === 'truncate') {
    const result = Buffer.alloc(change.size)
    bytes.copy(result)
    return result
  }
  const result = Buffer.alloc(Math.max(bytes.length, change.at + change.bytes.length))
  bytes.copy(result)
  change.bytes.copy(result, change.at)
  return result
}

function failure(code: string, { name, path }: Operation): Error {
  return Object.assign(new Error(`${code}: ${name} '${path}'`), { code })
}

/**
 * A disk with a cache in front of it: it knows what a power cut would leave, records what is asked of it, and fails
 * operations on demand.
 */
export class MemoryDisk implements FileSystem {
  readonly root = new DirectoryNode()
  readonly operations: Operation[] = []
  /** Changes of names that no directory sync has made durable. */
  names: NameChange[] = []
  /** Decides about the next operation, before it is done. */
  faultFor: (operation: Operation, index: number) => Fault | undefined = () => undefined
  /** Runs after each operation that changed something. */
  afterChange: () => Promise<void> | undefined = () => undefined
  /** Whether what a failed sync was to make durable is forgotten: the pages count as clean and never reach the disk. */
  forgetsFailedSync = true
  private readonly files = new Map<number, { node: FileNode; path: string }>()
  private nextFd = 3

  get openFiles(): number {
    return this.files.size
  }

  find(path: string): Node | undefined {
    let node: Node | undefined = this.root
    for (const name of path.split('/')) {
      if (name === '') continue
      if (node?.kind !== 'directory') return undefined
      node = node.entries.get(name)
    }
    return node
  }

  async open(path: string, flag: OpenFlag): Promise<number> {
    return this.run('open', path, () => {
      const [directory, name] = this.parentOf(path)
      let node = directory.entries.get(name)
      if (node?.kind === 'directory') throw failure('EISDIR', { name: 'open', path })
      if (node && flag === 'create') throw failure('EEXIST', { name: 'open', path })
      if (!node) {
        if (flag !== 'create' && flag !== 'replace') throw failure('ENOENT', { name: 'open', path })
        node = new FileNode()
        this.changeNames([directory], entriesOf => entriesOf(directory).set(name, node!))
      } else if (flag === 'replace') {
        this.change(node, { kind: 'truncate', size: 0 })
      }
      this.files.set(this.nextFd, { node, path })
      return this.nextFd++
    })
  }

  async close(fd: number): Promise<void> {
    const { path } = this.file(fd)
    return this.run('close', path, () => void this.files.delete(fd))
  }

  async fstat(fd: number): Promise<FileStat> {
    return this.now.fstat(fd)
  }

  async lstat(path: string): Promise<FileStat> {
    return this.run('lstat', path, () => {
      const node = this.find(path)
      if (!node) throw failure('ENOENT', { name: 'lstat', path })
      return this.stat(node)
    })
  }

  async read(fd: number, into: Uint8Array, position: number): Promise<number> {
    const { node, path } = this.file(fd)
    return this.run('read', path, () => readFrom(node, into, position))
  }

  async write(fd: number, bytes: Uint8Array, position: number): Promise<number> {
    const { node, path } = this.file(fd)
    return this.run('write', path, limit => {
      const count = Math.min(bytes.length, limit)
      this.change(node, { kind: 'write', at: position, bytes: Buffer.from(bytes.subarray(0, count)) })
      return count
    })
  }

  /** In two steps, so that a power cut can come between. */
  async writeThrough(fd: number, bytes: Uint8Array, position: number): Promise<number> {
    const count = await this.write(fd, bytes, position)
    await this.fdatasync(fd)
    return count
  }

  async ftruncate(fd: number, size: number): Promise<void> {
    const { node, path } = this.file(fd)
    return this.run('ftruncate', path, () => this.change(node, { kind: 'truncate', size }))
  }

  async fdatasync(fd: number): Promise<void> {
    const { node, path } = this.file(fd)
    const sync = () => {
      for (const change of node.pending) node.durable = applyChange(node.durable, change)
      node.pending = []
    }
    return this.run('fdatasync', path, sync, () => {
      if (this.forgetsFailedSync) node.pending = []
    })
  }

  async mkdir(path: string): Promise<void> {
    return this.run('mkdir', path, () => {
      const [directory, name] = this.parentOf(path)
      if (directory.entries.has(name)) throw failure('EEXIST', { name: 'mkdir', path })
      const node = new DirectoryNode()
      this.changeNames([directory], entriesOf => entriesOf(directory).set(name, node))
    })
  }

  async readdir(path: string): Promise<string[]> {
    return this.run('readdir', path, () => [...this.directory(path, 'readdir').entries.keys()])
  }

  async rename(from: string, to: string): Promise<void> {
    return this.run('rename', from, () => {
      const [source, name] = this.parentOf(from)
      const [target, newName] = this.parentOf(to)
      const node = source.entries.get(name)
      if (!node) throw failure('ENOENT', { name: 'rename', path: from })
      const existing = target.entries.get(newName)
      const isFree = !existing || (existing.kind === 'directory' && existing.entries.size === 0)
      if (!isFree) throw failure('ENOTEMPTY', { name: 'rename', path: to })
      this.changeNames([source, target], entriesOf => {
        entriesOf(source).delete(name)
        entriesOf(target).set(newName, node)
      })
    })
  }

  async unlink(path: string): Promise<void> {
    return this.run('unlink', path, () => this.drop(path, 'unlink', 'file'))
  }

  async rmdir(path: string): Promise<void> {
    return this.run('rmdir', path, () => {
      if (this.directory(path, 'rmdir').entries.size > 0) throw failure('ENOTEMPTY', { name: 'rmdir', path })
      this.drop(path, 'rmdir', 'directory')
    })
  }

  async syncDirectory(path: string): Promise<void> {
    return this.run('syncDirectory', path, () => {
      const directory = this.directory(path, 'syncDirectory')
      const synced = this.names.filter(change => change.directories.includes(directory))
      for (const change of synced) change.apply(({ durable }) => durable)
      this.names = this.names.filter(change => !synced.includes(change))
    })
  }

  readonly now = {
    open: (path: string): number => {
      const node = this.find(path)
      if (node?.kind !== 'file') throw failure('ENOENT', { name: 'open', path })
      this.files.set(this.nextFd, { node, path })
      return this.nextFd++
    },
    close: (fd: number): void => void this.files.delete(fd),
    size: (fd: number): number => this.file(fd).node.bytes.length,
    fstat: (fd: number): FileStat => {
      const { node, path } = this.file(fd)
      const operation = { name: 'fstat', path }
      const fault = this.record(operation)
      if (fault) throw failure(fault.kind === 'short' ? 'EIO' : fault.code, operation)
      return this.stat(node)
    },
    read: (fd: number, into: Uint8Array, position: number): number => readFrom(this.file(fd).node, into, position),
    readdir: (path: string): string[] => [...this.directory(path, 'readdir').entries.keys()],
    entries: (path: string): DirectoryEntry[] =>
      [...this.directory(path, 'readdir').entries].map(([name, { kind }]) => ({ name, kind })),
    exists: (path: string): boolean => this.find(path) !== undefined,
  }

  private async run<T>(
    name: string,
    path: string,
    effect: (limit: number) => T,
    onFailure: () => void = () => {},
  ): Promise<T> {
    const operation = { name, path }
    const fault = this.record(operation)
    if (fault?.kind === 'before') {
      onFailure()
      throw failure(fault.code, operation)
    }
    const changes = this.changes
    const result = effect(fault?.kind === 'short' ? fault.bytes : Infinity)
    if (this.changes !== changes || name.includes('sync')) await this.afterChange()
    if (fault?.code !== undefined) throw failure(fault.code, operation)
    return result
  }

  private record(operation: Operation): Fault | undefined {
    const fault = this.faultFor(operation, this.operations.length)
    this.operations.push(operation)
    return fault
  }

  private changes = 0

  private change(node: FileNode, change: FileChange): void {
    this.changes++
    node.bytes = applyChange(node.bytes, change)
    node.pending.push(change)
  }

  private changeNames(directories: readonly DirectoryNode[], apply: NameChange['apply']): void {
    this.changes++
    apply(({ entries }) => entries)
    this.names.push({ directories, apply })
  }

  private drop(path: string, name: string, kind: Node['kind']): void {
    const [directory, last] = this.parentOf(path)
    const node = directory.entries.get(last)
    if (node?.kind !== kind) throw failure(node ? 'EPERM' : 'ENOENT', { name, path })
    this.changeNames([directory], entriesOf => void entriesOf(directory).delete(last))
  }

  private stat(node: Node): FileStat {
    const size = node.kind === 'file' ? node.bytes.length : 0
    return { kind: node.kind, size, nlink: this.isNamed(node) ? 1 : 0, dev: 1, ino: inodeOf(node) }
  }

  private isNamed(node: Node, from: DirectoryNode = this.root): boolean {
    for (const entry of from.entries.values()) {
      if (entry === node || (entry.kind === 'directory' && this.isNamed(node, entry))) return true
    }
    return false
  }

  private file(fd: number): { node: FileNode; path: string } {
    const file = this.files.get(fd)
    if (!file) throw failure('EBADF', { name: 'use', path: String(fd) })
    return file
  }

  private directory(path: string, name: string): DirectoryNode {
    const node = this.find(path)
    if (node?.kind === 'directory') return node
    throw failure(node ? 'ENOTDIR' : 'ENOENT', { name, path })
  }

  private parentOf(path: string): [DirectoryNode, string] {
    const cut = path.lastIndexOf('/')
    return [this.directory(path.slice(0, cut), 'open'), path.slice(cut + 1)]
  }
}

function readFrom({ bytes }: FileNode, into: Uint8Array, position: number): number {
  const part = bytes.subarray(position, position + into.length)
  into.set(part)
  return part.length
}

const inodes = new WeakMap<Node, number>()
let lastInode = 0

function inodeOf(node: Node): number {
  const known = inodes.get(node)
  if (known !== undefined) return known
  inodes.set(node, ++lastInode)
  return lastInode
}
