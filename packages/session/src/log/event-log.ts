import { describeValue } from '../describe.js'
import { SessionError } from '../error.js'
import type { SessionEvent } from '../event.js'
import type { FoldDefinition } from '../fold.js'
import type { StoredRow } from '../row.js'
import { isDelta } from './delta.js'
import type { StoredRows } from './stored-rows.js'

const BLOCK_BITS = 10
const BLOCK_SIZE = 1 << BLOCK_BITS

/** Which events a scan visits; see {@link FoldDefinition}. */
export type EventFilter = Pick<FoldDefinition<unknown>, 'types' | 'deltas'>

/**
 * The entries of a log: first stored rows, decoded when somebody reads them, then live events in blocks. Blocks that
 * are full and the rows are shared with forks and views, which therefore cost a pointer for every thousand events.
 */
export class EventLog {
  readonly #rows: StoredRows | undefined
  /** The seq of the first live event. */
  readonly #base: number
  #blocks: SessionEvent[][]
  /** The seqs of live events that are no deltas: what most folds look for, a small part of the log. */
  #landmarks: number[]
  #length: number
  #snapshot: readonly SessionEvent[] | undefined

  /** @param base how many leading events come from `rows`; fewer than the rows hold in a prefix of a log */
  constructor(rows?: StoredRows, base = rows?.length ?? 0, blocks: SessionEvent[][] = [], landmarks: number[] = []) {
    this.#rows = rows
    this.#base = base
    this.#blocks = blocks
    this.#landmarks = landmarks
    this.#length = base + (blocks.length === 0 ? 0 : (blocks.length - 1) * BLOCK_SIZE + blocks.at(-1)!.length)
  }

  /** Whether `value` is a log. Runs no code of the value's. */
  static isLog(value: unknown): value is EventLog {
    return typeof value === 'object' && value !== null && #blocks in value
  }

  get length(): number {
    return this.#length
  }

  /** The event at `seq`. @throws INVALID_BOUNDARY outside the log */
  at(seq: number): SessionEvent {
    if (typeof seq === 'number' && seq >= this.#base && seq < this.#length) {
      const offset = seq - this.#base
      const event = this.#blocks[offset >>> BLOCK_BITS]![offset & (BLOCK_SIZE - 1)]
      if (event?.seq === seq) return event
    } else if (Number.isInteger(seq) && seq >= 0 && seq < this.#base) {
      return this.#rows!.at(seq)
    }
    throw new SessionError('INVALID_BOUNDARY', {
      expected: `a seq from 0 to ${this.#length - 1}`,
      found: describeValue(seq),
    })
  }

  push(event: SessionEvent): void {
    const offset = this.#length - this.#base
    if ((offset & (BLOCK_SIZE - 1)) === 0) this.#blocks.push([event])
    else this.#blocks[offset >>> BLOCK_BITS]!.push(event)
    if (!isDelta(event)) this.#landmarks.push(event.seq)
    this.#length++
    this.#snapshot = undefined
  }

  /** All events as a frozen array, the same one until the next push. */
  snapshot(): readonly SessionEvent[] {
    if (this.#snapshot === undefined) {
      const stored = this.#base === 0 ? [] : [...this.#rows!.iterate(0, this.#base)]
      // One native call copies a block at memory speed; see `bench/core`.
      this.#snapshot = Object.freeze(stored.concat(...this.#blocks))
    }
    return this.#snapshot
  }

  /** The events from `from` to before `to`. @throws INVALID_BOUNDARY for a range outside the log */
  slice(from = 0, to = this.#length): SessionEvent[] {
    this.#checkRange(from, to)
    const out: SessionEvent[] = []
    const rowsEnd = Math.min(to, this.#base)
    if (from < rowsEnd) for (const event of this.#rows!.iterate(from, rowsEnd)) out.push(event)
    const start = Math.max(from, this.#base) - this.#base
    const end = to - this.#base
    for (let offset = start; offset < end; ) {
      const block = this.#blocks[offset >>> BLOCK_BITS]!
      const first = offset & (BLOCK_SIZE - 1)
      const last = Math.min(first + end - offset, BLOCK_SIZE)
      for (let index = first; index < last; index++) out.push(block[index]!)
      offset += last - first
    }
    return out
  }

  /** The events from `from` to before `to`, one at a time. @throws INVALID_BOUNDARY for a range outside the log */
  *iterate(from = 0, to = this.#length): IterableIterator<SessionEvent> {
    this.#checkRange(from, to)
    const rowsEnd = Math.min(to, this.#base)
    if (from < rowsEnd) yield* this.#rows!.iterate(from, rowsEnd)
    for (let seq = Math.max(from, this.#base); seq < to; seq++) {
      const offset = seq - this.#base
      yield this.#blocks[offset >>> BLOCK_BITS]![offset & (BLOCK_SIZE - 1)]!
    }
  }

  /** Calls `visit` with the events from `from` on that `filter` lets through, in order. Undecoded rows stay so. */
  scan(from: number, filter: EventFilter, visit: (event: SessionEvent) => void): void {
    const { types } = filter
    if (from < this.#base) this.#rows!.scan(from, this.#base, filter, visit)
    const first = Math.max(from, this.#base)
    if (filter.deltas === false || (types !== undefined && !types.includes('assistant/chunk'))) {
      for (let index = lowerBound(this.#landmarks, first); index < this.#landmarks.length; index++) {
        const event = this.at(this.#landmarks[index]!)
        if (types === undefined || types.includes(event.type)) visit(event)
      }
      return
    }
    const length = this.#length
    for (let seq = first; seq < length; seq++) {
      const event = this.at(seq)
      if (types === undefined || types.includes(event.type)) visit(event)
    }
  }

  /**
   * The newest event before `before` that is of one of `types` and passes `accept`, found from the end backwards; deltas
   * are never looked at.
   */
  findLast(
    before: number,
    types: readonly string[],
    accept?: (event: SessionEvent) => boolean,
  ): SessionEvent | undefined {
    for (let index = lowerBound(this.#landmarks, before) - 1; index >= 0; index--) {
      const event = this.at(this.#landmarks[index]!)
      if (types.includes(event.type) && (accept === undefined || accept(event))) return event
    }
    return this.#rows?.findLast(Math.min(before, this.#base), types, accept)
  }

  /** Calls `visit` with the seqs and markers of surface events from `from` on. Undecoded rows stay so. */
  scanSurface(
    from: number,
    visit: (seq: number, event: Pick<SessionEvent<'user/message'>, 'surfaceOp'>) => void,
  ): void {
    if (from < this.#base) this.#rows!.scanSurface(from, this.#base, visit)
    for (let index = lowerBound(this.#landmarks, from); index < this.#landmarks.length; index++) {
      const event = this.at(this.#landmarks[index]!)
      if ('surfaceOp' in event) visit(event.seq, event)
    }
  }

  /** The log as it lies in memory: rows as they were stored, an event for each member of a row that a bound cuts. */
  *entries(from = 0, to = this.#length): IterableIterator<StoredRow | SessionEvent> {
    this.#checkRange(from, to)
    const rowsEnd = Math.min(to, this.#base)
    if (from < rowsEnd) yield* this.#rows!.entries(from, rowsEnd)
    if (to > this.#base) yield* this.iterate(Math.max(from, this.#base), to)
  }

  /** A log of the first `length` events that grows on its own and shares what it holds. */
  prefix(length: number): EventLog {
    this.#checkRange(0, length)
    if (length <= this.#base) return new EventLog(this.#rows, length)
    const count = length - this.#base
    const blocks = this.#blocks.slice(0, Math.ceil(count / BLOCK_SIZE))
    const rest = count & (BLOCK_SIZE - 1)
    if (rest !== 0) blocks.push(blocks.pop()!.slice(0, rest))
    return new EventLog(this.#rows, this.#base, blocks, this.#landmarks.slice(0, lowerBound(this.#landmarks, length)))
  }

  #checkRange(from: number, to: number): void {
    if (Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= this.#length) return
    throw new SessionError('INVALID_BOUNDARY', {
      expected: `a range within 0 to ${this.#length}`,
      found: `${describeValue(from)} to ${describeValue(to)}`,
    })
  }
}

/** The first index whose value is at least `value`, in an ascending list. */
function lowerBound(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
