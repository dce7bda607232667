import { expect, it } from 'vitest'
import { hookPairing } from '../../src/rules/hook-pairing.js'
import { brokenBy, complaints, invoked, result, turnEnd, turnStart } from '../support/log.js'

const other = { handlerId: 'other' }

it('accepts results in any order, overlapping runs of one handler, and runs that a cut turn left open', () => {
  expect(brokenBy(hookPairing, invoked(), invoked(other), result(other), result())).toEqual([])
  expect(brokenBy(hookPairing, invoked(), invoked(), result(), result())).toEqual([])
  expect(brokenBy(hookPairing, turnStart(1), invoked(), turnEnd({ kind: 'interrupted' }))).toEqual([])
})

it('refuses a result without an invocation, and a second one', () => {
  expect(brokenBy(hookPairing, result(), invoked(), result(), result())).toEqual([0, 3])
  expect(complaints(hookPairing, invoked(), result(other))).toEqual([
    'expected an invocation without a result before it, found none of "other" at "PreToolUse" at data.handlerId',
  ])
})

it('refuses a result at another point or in another turn', () => {
  expect(brokenBy(hookPairing, invoked(), result({ point: 'PostToolUse' }))).toEqual([1])
  expect(brokenBy(hookPairing, turnStart(1), invoked(), turnEnd(), turnStart(2), result({ turn: 2 }))).toEqual([4])
})
