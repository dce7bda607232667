import { describe, expect, it } from 'vitest'
import { turnEnd as rule } from '../../src/rules/turn-end.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { raw, turnEnd } from '../support/draft.js'

const failure = { message: 'overloaded', code: 'OVERLOADED', status: 529, providerRetryAfterMs: 1500, requestId: 'q' }

describe('turn-end', () => {
  it.each([
    { kind: 'completed' },
    { kind: 'aborted' },
    { kind: 'disposed' },
    { kind: 'max-tokens' },
    { kind: 'interrupted' },
    { kind: 'error', step: 1, failure },
    { kind: 'error', step: 1, message: 'boom' },
    { kind: 'error', step: 0, message: 'boom', code: 'E_BOOM' },
    { kind: 'acme-budget', spent: 3 },
  ])('accepts %j', reason => {
    expect(brokenBy(rule, turnEnd(1, reason))).toEqual([])
  })

  it.each([
    [undefined, 'expected an object, found none at data.reason'],
    [{ kind: 'aborted', reason: 'user' }, 'expected no such field, found "user" at data.reason.reason'],
    [{ kind: 'completed', step: 1 }, 'expected no such field, found 1 at data.reason.step'],
    [{ kind: 'error', step: 1 }, 'expected exactly one of failure and message, found none at data.reason'],
    [
      { kind: 'error', step: 1, failure, message: 'boom' },
      'expected exactly one of failure and message, found both at data.reason',
    ],
    [{ kind: 'error', step: 1, failure, code: 'E' }, 'expected no such field, found "E" at data.reason.code'],
    [{ kind: 'error', message: 'boom' }, 'expected a value, found none at data.reason.step'],
    [{ kind: 'error', step: -1, message: 'boom' }, 'expected a whole number from 0, found -1 at data.reason.step'],
    [{ kind: 'error', step: 1, failure: { message: 'x' } }, 'expected a value, found none at data.reason.failure.code'],
  ])('refuses %j', (reason, complaint) => {
    expect(complaints(rule, raw('turn/end', { turn: 1, reason }))).toEqual([complaint])
  })
})
