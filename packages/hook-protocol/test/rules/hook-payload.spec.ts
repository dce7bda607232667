import { expect, it } from 'vitest'
import { hookPayload } from '../../src/rules/hook-payload.js'
import { blocked, complaints, type Draft, invoked, result } from '../support/log.js'

it.each<Draft>([
  blocked(),
  blocked({ source: { kind: 'acme' }, content: [{ type: 'acme-chart' }] }),
  invoked(),
  invoked({ dialect: 'acme', matcher: 'bash' }),
  result({ decision: 'block', exitCode: 2, stderrSummary: 'no', durationMs: 2.5 }),
])('accepts %s with %j', (...draft) => {
  expect(complaints(hookPayload, draft)).toEqual([])
})

it.each<[Draft, string]>([
  [blocked({ reason: 5 }), 'expected a string, found 5 at data.reason'],
  [blocked({ id: 'm' }), 'expected no such field, found "m" at data.id'],
  [blocked({ content: [{ type: 'text' }] }), 'expected a value, found none at data.content[0].text'],
  [invoked({ handlerId: '' }), 'expected a non-empty string, found "" at data.handlerId'],
  [invoked({ decision: 'pass' }), 'expected no such field, found "pass" at data.decision'],
  [
    result({ decision: 'maybe' }),
    'expected "pass" or "allow" or "ask" or "block" or "failed", found "maybe" at data.decision',
  ],
  [result({ turn: 0 }), 'expected a whole number from 1, found 0 at data.turn'],
])('refuses %j', (draft, complaint) => {
  expect(complaints(hookPayload, draft)).toEqual([complaint])
})
