import type { Session, SessionEvent, SessionHeader, SurfaceOp } from '@dsh/session'
import { encodeRows, isSessionError, SessionRestorer } from '@dsh/session'
import { SALVAGE_LOST } from './salvage-event.js'
import type { UnreadablePart } from './salvage-read.js'

type Surfaced = Extract<SessionEvent, { surfaceOp: SurfaceOp }>

/** An event that entered the surface in another way than recorded. */
export interface Degradation {
  readonly seq: number
  readonly recorded: SurfaceOp
  readonly applied: SurfaceOp
}

/** Builds a valid log from the remains of one: what no longer fits is fitted in as well as can be, or counted as lost. */
export class SalvageLog {
  readonly lostSeqs: number[] = []
  readonly degraded: Degradation[] = []
  /** Events that could be read, but that no log accepts. */
  readonly refused: UnreadablePart[] = []
  readonly #restorer: SessionRestorer
  /** The surface, by sequence number in its order. */
  readonly #nodes: number[] = []
  #lastTime: number

  constructor(header: SessionHeader) {
    this.#restorer = new SessionRestorer(header)
    this.#lastTime = header.createdAt
  }

  /** Adds the event with the next sequence number. */
  add(event: SessionEvent): void {
    let refusal = this.#push(event)
    if (refusal === undefined) return
    for (const surfaceOp of this.#fallbacks(event)) {
      refusal = this.#push({ ...event, surfaceOp } as SessionEvent)
      if (refusal !== undefined) continue
      this.degraded.push({ seq: event.seq, recorded: (event as Surfaced).surfaceOp, applied: surfaceOp })
      return
    }
    this.refused.push({ reason: refusal!, seq: event.seq })
    this.addLost(event.seq, refusal!)
  }

  /** Adds an event that stands for the lost one with the next sequence number. */
  addLost(seq: number, reason: string): void {
    this.lostSeqs.push(seq)
    const event = { type: SALVAGE_LOST, seq, time: this.#lastTime, data: { reason } } as const
    this.#restorer.push(encodeRows([event])[0]!)
  }

  finish(): Session {
    return this.#restorer.finish()
  }

  /** @returns why the log does not take the event */
  #push(event: SessionEvent): string | undefined {
    try {
      this.#restorer.push(encodeRows([event])[0]!)
    } catch (error) {
      if (!isSessionError(error)) throw error
      return error.message
    }
    this.#lastTime = event.time
    if ('surfaceOp' in event) this.#place(event)
    return undefined
  }

  #place({ seq, surfaceOp }: Surfaced): void {
    if (surfaceOp === 'append') {
      this.#nodes.push(seq)
      return
    }
    const first = this.#nodes.indexOf(surfaceOp.start)
    this.#nodes.splice(first, this.#nodes.indexOf(surfaceOp.end) - first + 1, seq)
  }

  /** Of a replacement: the part of its range that is still there, or else the end of the surface. */
  *#fallbacks(event: SessionEvent): Iterable<SurfaceOp> {
    if (!('surfaceOp' in event) || event.surfaceOp === 'append') return
    const sources = new Set(event.sourceEventSeqs)
    const surviving = this.#nodes.filter(seq => sources.has(seq))
    const [start] = surviving
    if (start !== undefined) yield { op: 'replace', start, end: surviving.at(-1)! }
    yield 'append'
  }
}
