import { describe, expect, it } from 'vitest'
import { stepNumber } from '../../src/rules/step-number.js'
import { brokenBy } from '../support/broken-by.js'
import { stepStart, turnStart } from '../support/draft.js'

describe('step-number', () => {
  it('accepts steps that count from 1 in each turn', () => {
    expect(brokenBy(stepNumber, turnStart(1), stepStart(1), stepStart(2), turnStart(2), stepStart(1, 2))).toEqual([])
  })

  it('refuses a first step that is not 1, a gap, and a repetition', () => {
    expect(brokenBy(stepNumber, turnStart(1), stepStart(2), stepStart(4), stepStart(4), stepStart(5))).toEqual([
      1, 2, 3,
    ])
  })

  it('refuses numbers that continue those of the turn before', () => {
    expect(brokenBy(stepNumber, turnStart(1), stepStart(1), turnStart(2), stepStart(2, 2))).toEqual([3])
  })

  it('goes on from the last good number after one that is none', () => {
    expect(brokenBy(stepNumber, turnStart(1), stepStart(1), stepStart(null as never), stepStart(2))).toEqual([2])
  })
})
