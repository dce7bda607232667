import type { SessionEvent } from '@dsh/session'
import type { Violation } from './violation.js'

/**
 * A relation between the events of a log that must hold: a pure fold that can refuse. State advances on committed events
 * only; a candidate is judged against it and then forgotten or committed, so states are never changed in place.
 */
export interface InvariantRule<State = unknown> {
  /** Names the rule in reports; unique in a plugin instance. */
  readonly name: string
  /** Stable code of the violation, in capitals. */
  readonly code: string
  /** One sentence that says what must hold. */
  readonly description: string
  /** The event types to apply; all of them where absent. */
  readonly types?: readonly string[]
  /** `false` leaves out the text, reasoning and tool-call deltas among `assistant/chunk` events. */
  readonly deltas?: false
  /** The state of an empty log. */
  initial(): State
  /** The state after `event`, or why it must not be in the log. `state` is left as it was. */
  apply(state: State, event: SessionEvent): State | Violation<State>
  /**
   * The state after a run of stored stream deltas that was left undecoded when an existing log was replayed; unchanged
   * where absent. Only a rule that reads the content of deltas needs it.
   */
  gap?(state: State): State
}
