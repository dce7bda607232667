import { decodeRow, isPackedTag, readMarker } from '../codec/index.js'
import type { SessionEvent, SurfaceOp } from '../event.js'
import type { StoredRow } from '../row.js'
import { isDelta } from './delta.js'
import type { EventFilter } from './event-log.js'

/** Stored rows in order, each decoded at its first reading and from then on the same events for everybody. */
export class StoredRows {
  readonly #rows: readonly StoredRow[]
  readonly #decoded: (readonly SessionEvent[] | undefined)[]
  /** How many events the rows hold. */
  readonly length: number
  #last = 0

  /** @param rows contiguous from seq 0 */
  constructor(rows: readonly StoredRow[]) {
    this.#rows = rows
    this.#decoded = new Array(rows.length)
    const last = rows.at(-1)
    this.length = last === undefined ? 0 : last.seq + last.count
  }

  at(seq: number): SessionEvent {
    const index = this.#indexOf(seq)
    return this.#events(index)[seq - this.#rows[index]!.seq]!
  }

  *iterate(from: number, to: number): IterableIterator<SessionEvent> {
    for (let index = this.#indexOf(from); index < this.#rows.length; index++) {
      for (const event of this.#events(index)) {
        if (event.seq >= to) return
        if (event.seq >= from) yield event
      }
    }
  }

  scan(from: number, to: number, filter: EventFilter, visit: (event: SessionEvent) => void): void {
    const { types, deltas } = filter
    const chunks = types === undefined || types.includes('assistant/chunk')
    for (let index = this.#indexOf(from); index < this.#rows.length; index++) {
      const row = this.#rows[index]!
      if (row.seq >= to) return
      if (isPackedTag(row.type)) {
        if (!chunks || deltas === false) continue
      } else if (types !== undefined && !types.includes(row.type)) continue
      for (const event of this.#events(index)) {
        if (event.seq < from) continue
        if (event.seq >= to) return
        if (deltas !== false || !isDelta(event)) visit(event)
      }
    }
  }

  findLast(
    before: number,
    types: readonly string[],
    accept?: (event: SessionEvent) => boolean,
  ): SessionEvent | undefined {
    if (before <= 0) return undefined
    for (let index = this.#indexOf(before - 1); index >= 0; index--) {
      if (!types.includes(this.#rows[index]!.type)) continue
      const event = this.#events(index)[0]!
      if (accept === undefined || accept(event)) return event
    }
    return undefined
  }

  scanSurface(from: number, to: number, visit: (seq: number, marked: { readonly surfaceOp: SurfaceOp }) => void): void {
    for (let index = this.#indexOf(from); index < this.#rows.length; index++) {
      const row = this.#rows[index]!
      if (row.seq >= to) return
      if (row.surface) visit(row.seq, readMarker(row.body))
    }
  }

  *entries(from: number, to: number): IterableIterator<StoredRow | SessionEvent> {
    for (let index = this.#indexOf(from); index < this.#rows.length; index++) {
      const row = this.#rows[index]!
      if (row.seq >= to) return
      if (row.seq >= from && row.seq + row.count <= to) yield row
      else yield* this.#events(index).filter(event => event.seq >= from && event.seq < to)
    }
  }

  #events(index: number): readonly SessionEvent[] {
    const known = this.#decoded[index]
    if (known !== undefined) return known
    const events = decodeRow(this.#rows[index]!)
    this.#decoded[index] = events
    return events
  }

  /** The index of the row that holds `seq`; near the last one asked for, most of the time. */
  #indexOf(seq: number): number {
    this.#last = this.#find(seq)
    return this.#last
  }

  #find(seq: number): number {
    const rows = this.#rows
    for (let index = this.#last; index < this.#last + 2 && index < rows.length; index++) {
      const row = rows[index]!
      if (row.seq <= seq && seq < row.seq + row.count) return index
    }
    let low = 0
    let high = rows.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (rows[middle]!.seq <= seq) low = middle
      else high = middle - 1
    }
    return low
  }
}
