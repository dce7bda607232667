import type { ReadRange, StoredRecord } from '@dsh/persistence/driver'
import { BackwardReader } from './backward.js'
import { BatchRows } from './batch-rows.js'
import { damageError } from './damage-error.js'
import { commitBefore, edgeAt } from './edge.js'
import { readLoose } from './read-forward.js'
import type { BatchEdge } from './scan.js'
import { BatchScanner } from './scan.js'
import { findCommitAfter, seekBatch } from './seek.js'
import { select } from './select.js'
import type { LogSnapshot, PartSnapshot } from './snapshot.js'

/** Yields the records of a range, newest first. @throws SESSION_CORRUPT */
export async function* readBackward(
  log: LogSnapshot,
  range: ReadRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredRecord[]> {
  const loose: StoredRecord[] = []
  for await (const records of readLoose(log, signal)) for (const record of select(records, range)) loose.push(record)
  if (loose.length > 0) yield loose.reverse()
  const { from = 0, to = Infinity } = range
  for (const part of [...log.parts].reverse()) {
    if (part.start.next >= to) continue
    if (part.end.next <= from) return
    for await (const records of readPart(log, part, from, to, signal)) {
      const selected = select(records, range)
      if (selected.length > 0) yield selected.reverse()
    }
  }
}

/** Yields the batches of a part from the last to the first, each in order. */
async function* readPart(
  log: LogSnapshot,
  part: PartSnapshot,
  from: number,
  to: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredRecord[]> {
  const { source, seed, start } = part
  const bytes = new BackwardReader(source, start.byte)
  let edge = to < part.end.next ? await edgeBeyond(part, to) : part.end
  while (edge.byte > start.byte && edge.next > from) {
    signal?.throwIfAborted()
    const before = await previousEdge(bytes, part, edge)
    if (!before) throw await damageError(log, part, undefined)
    const rows = new BatchRows(before.next)
    const scanner = new BatchScanner(seed, before, rows)
    const block = { bytes: await bytes.slice(before.byte, edge.byte), start: before.byte }
    const damage = scanner.scan(block) ?? scanner.finish(edge.byte)
    if (damage || scanner.edge.next !== edge.next) throw await damageError(log, part, undefined)
    yield rows.take()
    edge = before
  }
}

/** The end of a batch from which on there is nothing before `seq`; unverified until that batch is read. */
async function edgeBeyond(part: PartSnapshot, seq: number): Promise<BatchEdge> {
  const { source, end } = part
  let edge = await seekBatch(source, part.start, end.byte, seq)
  while (edge.next < seq) {
    // From the line feed before the edge on, because a line that is met in its middle is skipped.
    const found = await findCommitAfter(source, edge.byte - 1, end.byte)
    if (!found) return end
    edge = { byte: found.end, next: found.commit.next }
  }
  return edge
}

/** Where the batch that ends at `edge` starts, by its own commit line and the one before it. */
async function previousEdge(
  bytes: BackwardReader,
  { start }: PartSnapshot,
  edge: BatchEdge,
): Promise<BatchEdge | undefined> {
  const read = (from: number, to: number) => bytes.slice(from, to)
  const own = await commitBefore(read, start.byte, edge.byte)
  return own && edgeAt(read, start, own.start - own.commit.bytes)
}
