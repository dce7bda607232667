import { describe, expect, it } from 'vitest'
import { turnNumber } from '../../src/rules/turn-number.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { turnEnd, turnStart } from '../support/draft.js'

describe('turn-number', () => {
  it('accepts turns that count from 1', () => {
    expect(brokenBy(turnNumber, turnStart(1), turnEnd(1), turnStart(2), turnEnd(2))).toEqual([])
  })

  it('refuses a first turn that is not 1', () => {
    expect(complaints(turnNumber, turnStart(0))).toEqual(['expected turn 1, found turn 0 at data.turn'])
  })

  it('refuses a gap and a repetition, once each', () => {
    expect(brokenBy(turnNumber, turnStart(1), turnStart(3), turnStart(4), turnStart(4), turnStart(5))).toEqual([1, 3])
  })

  it('goes on from the last good number after one that is none', () => {
    expect(brokenBy(turnNumber, turnStart(1), turnStart('x' as never), turnStart(2))).toEqual([1])
  })
})
