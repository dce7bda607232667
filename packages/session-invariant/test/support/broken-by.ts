import { findViolations, type InvariantRule } from '../../src/index.js'
import { type Draft, logOf } from './draft.js'

/** The seqs of the drafts, taken as a log, that break `rule`. */
export function brokenBy(rule: InvariantRule, ...drafts: readonly Draft[]): number[] {
  return findViolations(logOf(...drafts), [rule]).map(violation => violation.seq)
}

/** What `rule` says about the drafts, taken as a log. */
export function complaints(rule: InvariantRule, ...drafts: readonly Draft[]): string[] {
  return findViolations(logOf(...drafts), [rule]).map(violation => violation.message)
}
