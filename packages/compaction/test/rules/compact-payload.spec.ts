import { findViolations } from '@dsh/session-invariant'
import { expect, it } from 'vitest'
import { compactPayload } from '../../src/rules/compact-payload.js'

const range = { start: 0, end: 4 }
const summary = [{ type: 'text', text: 'short' }]

function complaints(type: string, data: unknown): string[] {
  return findViolations([{ type, seq: 0, time: 0, data } as never], [compactPayload]).map(({ message }) => message)
}

it.each([
  ['compact/start', range],
  ['compact/summary', { ...range, summary }],
  ['compact/summary', { ...range, summary, usage: { inputTokens: 1, outputTokens: 1 } }],
  ['compact/end', { ...range, outcome: { kind: 'replaced', seq: 7 } }],
  ['compact/end', { ...range, outcome: { kind: 'aborted' } }],
  ['compact/end', { ...range, outcome: { kind: 'failed', message: 'x' } }],
  ['compact/end', { ...range, outcome: { kind: 'acme', any: 1 } }],
])('accepts %s with %j', (type, data) => {
  expect(complaints(type, data)).toEqual([])
})

it.each([
  ['compact/start', { start: 0 }, 'expected a value, found none at data.end'],
  ['compact/start', { ...range, by: 'me' }, 'expected no such field, found "me" at data.by'],
  ['compact/summary', { ...range, summary: 'short' }, 'expected a list, found "short" at data.summary'],
  ['compact/summary', { ...range, summary, usage: 5 }, 'expected an object, found 5 at data.usage'],
  ['compact/end', range, 'expected a value, found none at data.outcome'],
  ['compact/end', { ...range, outcome: { kind: 'replaced' } }, 'expected a value, found none at data.outcome.seq'],
])('refuses %s with %j', (type, data, complaint) => {
  expect(complaints(type, data)).toEqual([complaint])
})
