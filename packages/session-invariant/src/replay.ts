import type { SessionEvent, SessionView, StoredRow } from '@dsh/session'
import { storedEntries } from '@dsh/session/host'
import { LogMonitor, type RuleViolation } from './log-monitor.js'
import type { RuleTable } from './rule-table.js'

/** What a log that exists already says to a set of rules. */
export interface Replay {
  /** The states at the end. */
  readonly monitor: LogMonitor
  /** The first violation of each rule: the later ones mostly follow from it. */
  readonly violations: readonly RuleViolation[]
}

/**
 * Shows the events below `to` to the rules of `table`. Packed rows of stream deltas stay undecoded: they were judged when
 * they were appended, and decoding them is what would make a resume slow.
 */
export function replay(view: SessionView, table: RuleTable, to = view.seq): Replay {
  const monitor = new LogMonitor(table)
  const first = new Map<string, RuleViolation>()
  for (const entry of storedEntries(view, 0, to)) {
    if (isPackedRow(entry)) {
      monitor.skipDeltas(entry.count)
      continue
    }
    const event = isRow(entry) ? view.eventAt(entry.seq) : entry
    for (const violation of monitor.advance(event)) {
      if (!first.has(violation.rule)) first.set(violation.rule, violation)
    }
  }
  return { monitor, violations: [...first.values()] }
}

function isRow(entry: StoredRow | SessionEvent): entry is StoredRow {
  return 'body' in entry
}

/** Types of events contain a slash, the tags of packed rows do not. */
function isPackedRow(entry: StoredRow | SessionEvent): entry is StoredRow {
  return isRow(entry) && !entry.type.includes('/')
}
