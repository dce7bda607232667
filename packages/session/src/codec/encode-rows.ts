import type { SessionEvent, SurfaceIntent } from '../event.js'
import type { StoredRow } from '../row.js'
import { encodeEvent } from './encode-event.js'
import { packRun } from './pack.js'
import { LineEncoder } from './utf8.js'

/** How {@link encodeRows} writes events. */
export interface EncodeRowsOptions {
  /** Whether runs of stream deltas share packed rows; default true. */
  readonly pack?: boolean
}

/**
 * The stored rows of `events`, in order. Only deltas that follow each other without a gap share a row, at most 4,096 of
 * them and 65,536 UTF-16 units of text. Bodies may share memory: do not write to them or transfer their buffers.
 * @param events events that the log has accepted
 */
export function encodeRows(events: readonly SessionEvent[], options: EncodeRowsOptions = {}): StoredRow[] {
  const { pack = true } = options
  const encoder = new LineEncoder()
  const rows: StoredRow[] = []
  for (let index = 0; index < events.length; ) {
    const event = events[index]!
    const run = pack ? packRun(events, index) : undefined
    index += run === undefined ? 1 : run.count
    // Encoded at once: lines kept for later would keep the many small strings alive that they were put together from.
    const body = encoder.encode(run === undefined ? encodeEvent(event) : run.line, events.length - index)
    if (run === undefined) {
      const { type, seq, time, surfaceOp } = event as SessionEvent & Partial<SurfaceIntent>
      rows.push({ seq, count: 1, time, type, surface: surfaceOp !== undefined, body })
    } else {
      rows.push({ seq: event.seq, count: run.count, time: run.time, type: run.type, surface: false, body })
    }
  }
  return rows
}
