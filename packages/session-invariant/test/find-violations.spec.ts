import { expect, it } from 'vitest'
import { findViolations } from '../src/index.js'
import { strictEnclosure } from '../src/rules/strict-enclosure.js'
import { logOf, turnEnd, turnStart, user } from './support/draft.js'

const log = logOf(turnEnd(1), turnStart(2), user(), turnEnd(2), user())

it('finds every violation of the core rules, in order', () => {
  expect(findViolations(log).map(({ rule, seq }) => [rule, seq])).toEqual([
    ['nesting', 0],
    ['turn-number', 1],
  ])
})

it('takes other rules and any iterable', () => {
  expect(findViolations(new Set(log), [strictEnclosure]).map(({ seq }) => seq)).toEqual([4])
})
