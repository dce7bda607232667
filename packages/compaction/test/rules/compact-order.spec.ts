import type { SessionEvent } from '@dsh/session'
import { findViolations } from '@dsh/session-invariant'
import { expect, it } from 'vitest'
import { compactOrder } from '../../src/rules/compact-order.js'

type Draft = Omit<SessionEvent, 'seq' | 'time'>

const range = { start: 2, end: 5 }
const start: Draft = { type: 'compact/start', data: range }
const summary: Draft = { type: 'compact/summary', data: { ...range, summary: [] } }
const end = (outcome: object, change: object = {}): Draft =>
  ({ type: 'compact/end', data: { ...range, outcome, ...change } }) as Draft
const message = (surfaceOp: unknown): Draft => ({ type: 'user/message', data: {}, surfaceOp }) as never
const replacement = message({ op: 'replace', ...range })

function complaints(...drafts: Draft[]): string[] {
  const events = drafts.map((draft, seq) => ({ ...draft, seq, time: 0 }) as SessionEvent)
  return findViolations(events, [compactOrder]).map(({ seq, expected }) => `${seq}: ${expected}`)
}

it('accepts a compaction that replaces its range, among other messages', () => {
  const others = [message('append'), message({ op: 'replace', start: 7, end: 7 })]
  expect(complaints(start, ...others, summary, replacement, end({ kind: 'replaced', seq: 4 }))).toEqual([])
})

it('accepts one that fails or is aborted at any point, and one that a crash cut short', () => {
  expect(complaints(start, end({ kind: 'aborted' }), start, summary, end({ kind: 'failed', message: '' }))).toEqual([])
  expect(complaints(start, summary, start, summary, replacement)).toEqual([])
})

it('refuses a summary or an end without a start, or about another range', () => {
  expect(complaints(summary, end({ kind: 'aborted' }))).toEqual([
    '0: a compaction of 2 to 5 under way',
    '1: a compaction of 2 to 5 under way',
  ])
  expect(complaints(start, end({ kind: 'aborted' }, { end: 6 }), end({ kind: 'aborted' }))).toHaveLength(2)
  expect(complaints(start, end({ kind: 'aborted' }), end({ kind: 'aborted' }))).toHaveLength(1)
})

it('refuses an end as replaced without a summary, without a replacement, or under another number', () => {
  expect(complaints(start, replacement, end({ kind: 'replaced', seq: 1 }))).toEqual(['2: a summary before the end'])
  expect(complaints(start, summary, end({ kind: 'replaced', seq: 1 }))).toHaveLength(1)
  expect(complaints(start, summary, replacement, end({ kind: 'replaced', seq: 1 }))).toHaveLength(1)
  expect(complaints(replacement, start, summary, end({ kind: 'replaced', seq: 0 }))).toHaveLength(1)
})
