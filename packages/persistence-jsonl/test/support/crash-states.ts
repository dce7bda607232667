import type { FileChange, Node } from './memory-disk.js'
import { applyChange, DirectoryNode, FileNode, MemoryDisk } from './memory-disk.js'

/** Bytes that a disk writes at once; small, so that a small batch spans several. */
const PAGE = 64

/** Pages of which every combination is tried; of more, a spread of combinations. */
const MOST_PAGES = 6

/**
 * Every disk that a power cut could leave: of the changes to names that were not synced any that a journal could have
 * kept, of unsynced writes every prefix, and every combination of pages that were lost and come back as zeros.
 */
export function* crashStates(disk: MemoryDisk): Generator<MemoryDisk> {
  for (const names of nameStates(disk)) {
    const dirty = dirtyFiles(disk)
    if (dirty.length === 0) yield build(disk, names, new Map())
    for (const file of dirty) {
      for (const bytes of fileStates(file)) yield build(disk, names, new Map([[file, bytes]]))
    }
  }
}

/** The disk as it is when only the process dies. */
export function afterKill(disk: MemoryDisk): MemoryDisk {
  const copy = new MemoryDisk()
  copyEntries(
    disk.root,
    copy.root,
    ({ entries }) => entries,
    file => file.bytes,
  )
  return copy
}

function dirtyFiles(disk: MemoryDisk): FileNode[] {
  const found = new Set<FileNode>()
  const visit = (node: Node) => {
    if (node.kind === 'file') {
      if (node.pending.length > 0) found.add(node)
      return
    }
    for (const map of [node.entries, node.durable]) for (const entry of map.values()) visit(entry)
  }
  visit(disk.root)
  return [...found]
}

type Names = (directory: DirectoryNode) => Map<string, Node>

function* nameStates({ names }: MemoryDisk): Generator<Names> {
  const most = Math.min(names.length, 4)
  for (let kept = 0; kept < 1 << most; kept++) {
    const copies = new Map<DirectoryNode, Map<string, Node>>()
    const entriesOf = (directory: DirectoryNode): Map<string, Node> => {
      const known = copies.get(directory)
      if (known) return known
      const copy = new Map(directory.durable)
      copies.set(directory, copy)
      return copy
    }
    const early = kept === 0 ? 0 : names.length - most
    for (const change of names.slice(0, early)) change.apply(entriesOf)
    names.slice(names.length - most).forEach((change, index) => {
      if ((kept >> index) & 1) change.apply(entriesOf)
    })
    yield entriesOf
  }
}

/** Contents that a file with unsynced changes can have after a power cut. */
function* fileStates({ durable, pending }: FileNode): Generator<Buffer> {
  let before = durable
  yield before
  for (const change of pending) {
    const after = applyChange(before, change)
    if (change.kind === 'write') yield* tornWrites(before, change, after)
    yield after
    yield* lostPages(durable, after, change)
    before = after
  }
}

function* tornWrites(before: Buffer, change: FileChange & { kind: 'write' }, after: Buffer): Generator<Buffer> {
  for (let length = 1; length < change.bytes.length; length++) {
    yield applyChange(before, { ...change, bytes: change.bytes.subarray(0, length) })
  }
  // The size is on the disk before the bytes are.
  for (let length = 1; length < change.bytes.length; length += PAGE / 2) {
    const torn = applyChange(before, { ...change, bytes: change.bytes.subarray(0, length) })
    yield applyChange(torn, { kind: 'truncate', size: after.length })
  }
}

/** Pages of the last write that never reached the disk: what was there before, or zeros. */
function* lostPages(durable: Buffer, after: Buffer, change: FileChange): Generator<Buffer> {
  if (change.kind !== 'write') return
  const first = Math.floor(change.at / PAGE)
  const last = Math.floor((change.at + change.bytes.length - 1) / PAGE)
  const count = last - first + 1
  const combinations = 1 << Math.min(count, MOST_PAGES)
  for (let lost = 1; lost < combinations; lost++) {
    const bytes = Buffer.from(after)
    for (let page = 0; page < count; page++) {
      if (!((lost >> (page % MOST_PAGES)) & 1)) continue
      const [start, end] = [(first + page) * PAGE, Math.min((first + page + 1) * PAGE, bytes.length)]
      bytes.fill(0, start, end)
      bytes.set(durable.subarray(start, end), start)
    }
    yield bytes
    // A shorter size with holes in what it covers.
    const size = Math.max(durable.length, bytes.length - (lost % PAGE) - 1)
    yield bytes.subarray(0, size)
  }
}

function build(disk: MemoryDisk, names: Names, contents: ReadonlyMap<FileNode, Buffer>): MemoryDisk {
  const copy = new MemoryDisk()
  copyEntries(disk.root, copy.root, names, file => contents.get(file) ?? file.durable)
  return copy
}

function copyEntries(
  from: DirectoryNode,
  to: DirectoryNode,
  names: Names,
  contentOf: (file: FileNode) => Buffer,
): void {
  for (const [name, node] of names(from)) {
    if (node.kind === 'file') to.entries.set(name, new FileNode(contentOf(node)))
    else {
      const directory = new DirectoryNode()
      to.entries.set(name, directory)
      copyEntries(node, directory, names, contentOf)
    }
  }
  to.durable = new Map(to.entries)
}
