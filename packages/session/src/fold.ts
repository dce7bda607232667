import type { SessionEvent } from './event.js'

/**
 * A derivation of the log: a pure function over its events in order. A session evaluates it incrementally, each event
 * once, and keeps one state per definition object; so define a fold once, at module level.
 *
 * `apply` returns the next state and leaves `state` as it was: states that callers hold must not change under them.
 * Returning the same object for an event that changes nothing keeps readers' comparisons cheap.
 */
export interface FoldDefinition<State> {
  /** The state of an empty log. */
  initial(): State
  /** The state after `event`. */
  apply(state: State, event: SessionEvent): State
  /** The event types to apply; all of them where absent. Stored events of other types are not even decoded. */
  readonly types?: readonly string[]
  /**
   * `false` leaves out the text, reasoning and tool-call deltas among `assistant/chunk` events, so that the packed rows
   * that hold them stay undecoded.
   */
  readonly deltas?: false
}
