import type { SessionEvent } from '@dsh/session'
import { findViolations, type InvariantRule } from '@dsh/session-invariant'

/** An event of a test: its type and payload. */
export type Draft = readonly [type: string, data: unknown]

/** Numbers drafts into a log. */
function logOf(...drafts: readonly Draft[]): SessionEvent[] {
  return drafts.map(([type, data], seq) => ({ type, seq, time: 0, data }) as unknown as SessionEvent)
}

/** The seqs of the drafts, taken as a log, that break `rule`. */
export function brokenBy(rule: InvariantRule, ...drafts: readonly Draft[]): number[] {
  return findViolations(logOf(...drafts), [rule]).map(({ seq }) => seq)
}

/** What `rule` says about the drafts, taken as a log. */
export function complaints(rule: InvariantRule, ...drafts: readonly Draft[]): string[] {
  return findViolations(logOf(...drafts), [rule]).map(({ message }) => message)
}

export const turnStart = (turn = 1): Draft => ['turn/start', { turn, trigger: { kind: 'retry' } }]
export const turnEnd = (reason: object = { kind: 'completed' }, turn = 1): Draft => ['turn/end', { turn, reason }]
export const stepStart = (step = 1, turn = 1): Draft => ['step/start', { turn, step }]
export const blocked = (change: object = {}): Draft => [
  'prompt/blocked',
  { content: [{ type: 'text', text: 'rm -rf' }], source: { kind: 'user' }, reason: 'No.', ...change },
]
export const invoked = (change: object = {}): Draft => [
  'hook/invoked',
  { turn: 1, point: 'PreToolUse', handlerId: 'h', ...change },
]
export const result = (change: object = {}): Draft => [
  'hook/result',
  { turn: 1, point: 'PreToolUse', handlerId: 'h', decision: 'pass', ...change },
]
