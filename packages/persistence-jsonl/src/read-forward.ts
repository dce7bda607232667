import { setImmediate } from 'node:timers/promises'
import type { ReadRange, StoredRecord } from '@dsh/persistence/driver'
import { BatchRows } from './batch-rows.js'
import { readBlocks } from './blocks.js'
import type { Damage } from './damage.js'
import { corruptError } from './damage.js'
import { damageError } from './damage-error.js'
import { LooseRows, readLooseRows } from './loose-rows.js'
import type { BatchEdge } from './scan.js'
import { BatchScanner } from './scan.js'
import { seekBatch } from './seek.js'
import { select } from './select.js'
import type { LogSnapshot, PartSnapshot } from './snapshot.js'

/** Yields the records of a range, oldest first. @throws SESSION_CORRUPT */
export async function* readForward(
  log: LogSnapshot,
  range: ReadRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredRecord[]> {
  for await (const records of log.held ? readHeld(log.held, signal) : readParts(log, range, signal)) {
    const selected = select(records, range)
    if (selected.length > 0) yield selected
  }
  for await (const records of readLoose(log, signal)) {
    const selected = select(records, range)
    if (selected.length > 0) yield selected
  }
}

async function* readHeld(
  held: readonly StoredRecord[][],
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredRecord[]> {
  for (const records of held) {
    yield records
    // Nothing is waited for; others get their turn all the same.
    await setImmediate()
    signal?.throwIfAborted()
  }
}

async function* readParts(
  log: LogSnapshot,
  { from = 0, to = Infinity }: ReadRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredRecord[]> {
  for (const part of log.parts) {
    // A part that is read from its start is read all the same: only its rows show that its end is not a lie.
    if (part.end.next <= from && part.start.next < from) continue
    if (part.start.next >= to) return
    yield* readPart(log, part, from, to, signal)
  }
}

async function* readPart(
  log: LogSnapshot,
  part: PartSnapshot,
  from: number,
  to: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredRecord[]> {
  const { source, seed, end } = part
  const start = from > part.start.next ? await seekBatch(source, part.start, end.byte, from) : part.start
  const rows = new BatchRows(start.next)
  const scanner = new BatchScanner(seed, start, rows)
  for await (const block of readBlocks(source, start.byte, end.byte, { retain: true, signal })) {
    const damage = scanner.scan(block)
    const records = rows.take()
    if (records.length > 0) yield records
    if (scanner.edge.next >= to) return
    if (damage) throw await damageError(log, part, start === part.start ? damage : undefined)
  }
  const damage = scanner.finish(end.byte) ?? gapAfter(part, scanner.edge)
  if (damage) throw await damageError(log, part, start === part.start ? damage : undefined)
}

/** The next part, or the end that was found at the opening, says where this one has to end. */
function gapAfter({ end }: PartSnapshot, edge: BatchEdge): Damage | undefined {
  if (edge.next === end.next) return undefined
  return { byte: end.byte, seq: edge.next, expected: `batches up to event ${end.next}`, found: `${edge.next}` }
}

/** Rows that no commit line covers: each is checked in full. */
export async function* readLoose(log: LogSnapshot, signal: AbortSignal | undefined): AsyncGenerator<StoredRecord[]> {
  const { loose, parts, session } = log
  if (!('end' in loose)) {
    if (loose.length > 0) yield [...loose]
    return
  }
  const { source, end } = parts[parts.length - 1]!
  const rows = new LooseRows(end, true)
  yield* readLooseRows(source, rows, loose.end, { signal })
  if (rows.next !== loose.next) {
    const found = { expected: `rows up to event ${loose.next}`, found: `${rows.next}` }
    throw corruptError({ byte: rows.end, seq: rows.next, ...found, ...rows.damage }, source.file, session)
  }
}
