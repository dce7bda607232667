import { type Session, SessionError, type SessionEvent } from '@dsh/session'
import type { LogMonitor, RuleViolation } from './log-monitor.js'
import { replay } from './replay.js'
import type { InvariantRule } from './rule.js'
import { RuleTable } from './rule-table.js'

/** What a {@link SessionWatch} is made from. */
export interface SessionWatchInit {
  readonly rules: readonly InvariantRule[]
  /** Which sessions to watch; asked once for each. */
  readonly filter: (session: Session) => boolean
  /** Told of violations that are in a log. Must not throw. */
  readonly report: (session: Session, violation: RuleViolation) => void
  /** Told why a session is not watched: the filter threw, or its log cannot be read. Must not throw. */
  readonly giveUp: (session: Session, error: unknown) => void
}

/**
 * Follows the logs of many sessions with one set of rules. A session that is first seen is replayed; what is wrong with
 * it by then is reported once for each rule, and the rules go on behind it.
 */
export class SessionWatch {
  readonly #filter: (session: Session) => boolean
  readonly #report: (session: Session, violation: RuleViolation) => void
  readonly #giveUp: (session: Session, error: unknown) => void
  #table: RuleTable
  /** `null` for a session that is not watched. */
  readonly #monitors = new WeakMap<Session, LogMonitor | null>()

  constructor({ rules, filter, report, giveUp }: SessionWatchInit) {
    this.#table = new RuleTable(rules)
    this.#filter = filter
    this.#report = report
    this.#giveUp = giveUp
  }

  get rules(): readonly InvariantRule[] {
    return this.#table.rules
  }

  /** Changes the rules. Sessions take them over when they are next seen. */
  set rules(rules: readonly InvariantRule[]) {
    this.#table = new RuleTable(rules)
  }

  /** Brings a session's rules up to its log, and reports what broke them. */
  see(session: Session): void {
    this.#follow(session, session.seq)
  }

  /** Brings a session's rules up to `event`, which is in its log, and reports what broke them. */
  published(session: Session, event: SessionEvent): void {
    // A session that is first seen by this event was valid or reported before it: the event counts on its own.
    this.#follow(session, event.seq)
    this.#follow(session, session.seq)
  }

  /** @throws INVARIANT when `event`, the next of the session's log, breaks a rule */
  judge(session: Session, event: SessionEvent): void {
    if (event.seq !== session.seq) return
    const violation = this.#follow(session, session.seq)?.judge(event)
    if (violation === undefined) return
    const { rule, code, seq, expected, found, path } = violation
    const place = path === undefined ? { session: session.id, seq } : { session: session.id, seq, path }
    throw new SessionError('INVARIANT', { expected, found, ...place, details: { rule, code } })
  }

  /** Watching must keep no session from being created and no event from being appended by failing itself. */
  #follow(session: Session, to: number): LogMonitor | undefined {
    try {
      return this.#bringUp(session, to)
    } catch (error) {
      this.#monitors.set(session, null)
      this.#giveUp(session, error)
      return undefined
    }
  }

  #bringUp(session: Session, to: number): LogMonitor | undefined {
    let monitor = this.#monitors.get(session)
    if (monitor === null) return undefined
    if (monitor === undefined) {
      if (!this.#filter(session)) {
        this.#monitors.set(session, null)
        return undefined
      }
      monitor = this.#replay(session, this.#table, to)
      this.#monitors.set(session, monitor)
    } else if (monitor.table !== this.#table) {
      const known = monitor.table.rules
      const fresh = this.#table.rules.filter(rule => !known.includes(rule))
      monitor.adopt(this.#table, this.#replay(session, new RuleTable(fresh), monitor.seq))
    }
    while (monitor.seq < to) {
      for (const violation of monitor.advance(session.eventAt(monitor.seq))) this.#report(session, violation)
    }
    return monitor
  }

  #replay(session: Session, table: RuleTable, to: number): LogMonitor {
    const { monitor, violations } = replay(session, table, to)
    for (const violation of violations) this.#report(session, violation)
    return monitor
  }
}
