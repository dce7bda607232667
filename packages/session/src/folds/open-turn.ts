import type { FoldDefinition } from '../fold.js'
import { payloadNumber } from './payload.js'

/** A turn that has started and not ended. */
export interface OpenTurn {
  /** Its number as recorded; 0 where the log holds none. */
  readonly turn: number
  /** Sequence number of its `turn/start`. */
  readonly startSeq: number
  /** Number of the open step; absent between steps. */
  readonly step?: number
}

/**
 * The open turn, or undefined between turns. In a log that breaks the nesting the innermost start counts, an end closes
 * what is open whatever its number, and a step outside a turn opens nothing.
 */
export const openTurn: FoldDefinition<OpenTurn | undefined> = {
  initial: () => undefined,
  types: ['turn/start', 'turn/end', 'step/start', 'step/end'],
  apply(open, event) {
    switch (event.type) {
      case 'turn/start':
        return { turn: payloadNumber(event.data, 'turn') ?? 0, startSeq: event.seq }
      case 'turn/end':
        return undefined
      case 'step/start':
        return open && { ...open, step: payloadNumber(event.data, 'step') ?? 0 }
      case 'step/end':
        return open && { turn: open.turn, startSeq: open.startSeq }
      default:
        return open
    }
  },
}
