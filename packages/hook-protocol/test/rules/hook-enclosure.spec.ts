import { expect, it } from 'vitest'
import { hookEnclosure } from '../../src/rules/hook-enclosure.js'
import { brokenBy, complaints, invoked, result, turnEnd, turnStart } from '../support/log.js'

it('accepts hooks in their open turn', () => {
  expect(
    brokenBy(hookEnclosure, turnStart(1), invoked(), result(), turnEnd(), turnStart(2), invoked({ turn: 2 })),
  ).toEqual([])
})

it('refuses hooks between turns and in another turn', () => {
  expect(brokenBy(hookEnclosure, invoked(), turnStart(1), result({ turn: 2 }), turnEnd(), result())).toEqual([0, 2, 4])
  expect(complaints(hookEnclosure, invoked({ turn: 0 }))).toEqual([
    'expected turn 0 open, found no open turn at data.turn',
  ])
})
