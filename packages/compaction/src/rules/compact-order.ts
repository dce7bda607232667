import { type InvariantRule, violation } from '@dsh/session-invariant'
import type { CompactedRange } from '../events.js'

/** The compaction under way. */
export type Compaction =
  | undefined
  | {
      readonly range: CompactedRange
      readonly summarized: boolean
      /** The message that took the range's place. */
      readonly replacedBy?: number
    }

/**
 * A compaction starts, gets its summary, replaces its range and ends, in this order and about one range. A crash may leave
 * out the rest, so that a start may follow a start. State: the compaction under way.
 */
export const compactOrder: InvariantRule<Compaction> = {
  name: 'compact-order',
  code: 'COMPACT_ORDER',
  description:
    'A compaction summary and end belong to the last start, about the same range; an end as `replaced` follows a summary and names the message that replaced the range.',
  types: ['compact/start', 'compact/summary', 'compact/end', 'user/message'],
  initial: () => undefined,
  apply(state, event) {
    switch (event.type) {
      case 'compact/start':
        return { range: event.data, summarized: false }
      case 'compact/summary': {
        if (!isAbout(state, event.data)) return stray(state, event.data, state)
        return { ...state, summarized: true }
      }
      case 'user/message': {
        const { surfaceOp } = event
        if (typeof surfaceOp !== 'object' || !isAbout(state, surfaceOp)) return state
        return { ...state, replacedBy: event.seq }
      }
      case 'compact/end': {
        if (!isAbout(state, event.data)) return stray(state, event.data, undefined)
        const { outcome } = event.data
        if (outcome.kind !== 'replaced') return undefined
        if (!state.summarized) return violation('a summary before the end', 'none', undefined, 'data.outcome.kind')
        if (state.replacedBy === outcome.seq) return undefined
        const found = `${state.replacedBy ?? 'nothing'} in its place, ${outcome.seq} named`
        return violation('the message that replaced the range', found, undefined, 'data.outcome.seq')
      }
      default:
        return state
    }
  },
}

function isAbout(state: Compaction, { start, end }: CompactedRange): state is NonNullable<Compaction> {
  return state !== undefined && state.range.start === start && state.range.end === end
}

function stray(state: Compaction, { start, end }: CompactedRange, next: Compaction) {
  const found = state === undefined ? 'none' : `one of ${state.range.start} to ${state.range.end}`
  return violation(`a compaction of ${start} to ${end} under way`, found, next, 'data.start')
}
