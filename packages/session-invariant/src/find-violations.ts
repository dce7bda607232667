import type { SessionEvent } from '@dsh/session'
import { coreRules } from './core-rules.js'
import { LogMonitor, type RuleViolation } from './log-monitor.js'
import type { InvariantRule } from './rule.js'
import { RuleTable } from './rule-table.js'

/**
 * Every violation in a log, in order: for importers, tests and tools that hold events and no session.
 * @param rules the rules that must hold; those of the core under `execution` enclosure where absent
 */
export function findViolations(
  events: Iterable<SessionEvent>,
  rules: readonly InvariantRule[] = coreRules(),
): RuleViolation[] {
  const monitor = new LogMonitor(new RuleTable(rules))
  const violations: RuleViolation[] = []
  for (const event of events) violations.push(...monitor.advance(event))
  return violations
}
