const tag = Symbol.for('dsh.invariant.violation')

/** What a rule answers when an event breaks it. Made by {@link violation}. */
export interface Violation<State = unknown> {
  /** What would have been right, as a noun phrase. */
  readonly expected: string
  /** What was there instead, as a noun phrase. */
  readonly found: string
  /** Path to the offending value inside the event, where there is one. */
  readonly path?: string
  /** The state from which the rule goes on when the event is in the log all the same. */
  readonly state: State
}

/**
 * The answer of a rule to an event that breaks it. `state` is where the rule goes on when the event is in the log all
 * the same (reported only, or found in an older log): choose it so that what follows is not refused for this one event.
 */
export function violation<State>(expected: string, found: string, state: State, path?: string): Violation<State> {
  const answer = { [tag]: true, expected, found, state }
  return path === undefined ? answer : { ...answer, path }
}

/** Whether a rule's answer is a {@link Violation}, of any copy of this package. */
export function isViolation(answer: unknown): answer is Violation {
  return typeof answer === 'object' && answer !== null && tag in answer
}
