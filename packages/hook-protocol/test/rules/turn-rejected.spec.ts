import { expect, it } from 'vitest'
import { turnRejected } from '../../src/rules/turn-rejected.js'
import { blocked, brokenBy, complaints, stepStart, turnEnd, turnStart } from '../support/log.js'

const rejected = { kind: 'rejected', reason: 'No.' }

it('accepts a rejected turn whose prompts were blocked, and blocked prompts in other turns', () => {
  expect(brokenBy(turnRejected, turnStart(1), blocked(), blocked(), turnEnd(rejected))).toEqual([])
  expect(brokenBy(turnRejected, turnStart(1), blocked(), stepStart(1), stepStart(2), turnEnd())).toEqual([])
})

it('refuses a rejected turn without a blocked prompt of its own', () => {
  expect(brokenBy(turnRejected, blocked(), turnStart(1), turnEnd(rejected))).toEqual([2])
})

it('refuses a rejected turn that ran a step', () => {
  expect(complaints(turnRejected, turnStart(1), blocked(), stepStart(1), turnEnd(rejected))).toEqual([
    'expected no step in a rejected turn, found one at data.reason.kind',
  ])
})

it('refuses a rejection without a text, or with more than that', () => {
  for (const reason of [{ kind: 'rejected' }, { ...rejected, reason: 1 }, { ...rejected, by: 'h' }]) {
    expect(brokenBy(turnRejected, turnStart(1), blocked(), turnEnd(reason))).toEqual([2])
  }
})
