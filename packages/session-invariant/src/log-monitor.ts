import type { SessionEvent } from '@dsh/session'
import type { InvariantRule } from './rule.js'
import type { RuleTable } from './rule-table.js'
import { isViolation, type Violation, violation } from './violation.js'

/** One rule broken by one event. */
export interface RuleViolation {
  /** Name of the rule. */
  readonly rule: string
  /** Stable code of the rule's violation; see `docs/invariants.md`. */
  readonly code: string
  /** Sequence number of the event that broke it. */
  readonly seq: number
  /** What was expected, found, and where. */
  readonly message: string
  readonly expected: string
  readonly found: string
  /** Path to the offending value inside the event, where there is one. */
  readonly path?: string
}

/** The states of all rules at one point of one log. */
export class LogMonitor {
  #table: RuleTable
  #states: unknown[]
  #seq = 0
  /** What the states become if {@link LogMonitor.#candidate} is committed; only the slots of its rules count. */
  #staged: unknown[]
  #candidate: SessionEvent | undefined

  constructor(table: RuleTable) {
    this.#table = table
    this.#states = table.rules.map(rule => rule.initial())
    this.#staged = [...this.#states]
  }

  get table(): RuleTable {
    return this.#table
  }

  /** How many events of the log the states cover. */
  get seq(): number {
    return this.#seq
  }

  /** The first rule that the next event of the log would break, if any. No state changes. */
  judge(event: SessionEvent): RuleViolation | undefined {
    this.#candidate = undefined
    for (const slot of this.#table.slotsFor(event)) {
      const rule = this.#table.rules[slot]!
      const answer = ask(rule, this.#states[slot], event)
      if (isViolation(answer)) return describe(rule, event, answer)
      this.#staged[slot] = answer
    }
    this.#candidate = event
    return undefined
  }

  /** Advances over the next event of the log. A rule that it breaks goes on behind it. */
  advance(event: SessionEvent): readonly RuleViolation[] {
    this.#seq = event.seq + 1
    if (event === this.#candidate) {
      this.#candidate = undefined
      for (const slot of this.#table.slotsFor(event)) this.#states[slot] = this.#staged[slot]
      return none
    }
    let violations = none
    for (const slot of this.#table.slotsFor(event)) {
      const rule = this.#table.rules[slot]!
      const answer = ask(rule, this.#states[slot], event)
      this.#states[slot] = isViolation(answer) ? answer.state : answer
      // That a rule cannot read an event is no news when another has said what is wrong with it.
      if (!isViolation(answer) || (answer.expected === READABLE && violations.length > 0)) continue
      violations = [...violations, describe(rule, event, answer)]
    }
    return violations
  }

  /** Advances over `count` stream deltas that nobody decoded. */
  skipDeltas(count: number): void {
    this.#seq += count
    for (const [slot, rule] of this.#table.rules.entries()) {
      if (rule.gap !== undefined) this.#states[slot] = rule.gap(this.#states[slot])
    }
  }

  /** Goes on with the rules of `table`. Those that are not followed so far take their states from `newcomers`. */
  adopt(table: RuleTable, newcomers: LogMonitor): void {
    this.#states = table.rules.map(rule => (this.#follows(rule) ? this.#stateOf(rule) : newcomers.#stateOf(rule)))
    this.#staged = [...this.#states]
    this.#candidate = undefined
    this.#table = table
  }

  #follows(rule: InvariantRule): boolean {
    return this.#table.rules.includes(rule)
  }

  #stateOf(rule: InvariantRule): unknown {
    return this.#states[this.#table.rules.indexOf(rule)]
  }
}

const none: readonly RuleViolation[] = []

const READABLE = 'an event that the rule can read'

/** A rule that throws has refused the event: nobody can tell what it would have said. */
function ask(rule: InvariantRule, state: unknown, event: SessionEvent): unknown {
  try {
    return rule.apply(state, event)
  } catch (error) {
    return violation(READABLE, `an exception: ${String(error)}`, state)
  }
}

function describe(rule: InvariantRule, { seq }: SessionEvent, { expected, found, path }: Violation): RuleViolation {
  const message = `expected ${expected}, found ${found}${path === undefined ? '' : ` at ${path}`}`
  return { rule: rule.name, code: rule.code, seq, message, expected, found, ...(path !== undefined && { path }) }
}
