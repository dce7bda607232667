import { describe, expect, it } from 'vitest'
import { nesting } from '../../src/rules/nesting.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { raw, stepEnd, stepStart, turnEnd, turnStart } from '../support/draft.js'

describe('nesting', () => {
  it('accepts turns with and without steps, and the closers of a crashed one', () => {
    const crashed = [turnStart(3), stepStart(1, 3), stepEnd(1, 3), turnEnd(3, { kind: 'interrupted' })]
    const log = [turnStart(1), stepStart(1), stepEnd(1), stepStart(2), stepEnd(2), turnEnd(1), turnStart(2), turnEnd(2)]
    expect(brokenBy(nesting, ...log, ...crashed)).toEqual([])
  })

  it('refuses a turn inside a turn', () => {
    expect(complaints(nesting, turnStart(1), turnStart(2))).toEqual([
      'expected turn 1 closed before another starts, found turn/start in turn 1 between its steps at type',
    ])
  })

  it('refuses the end of a turn that is not open', () => {
    expect(brokenBy(nesting, turnEnd(1), turnEnd(0), turnStart(1), turnEnd(2))).toEqual([0, 1, 3])
  })

  it('refuses a turn that ends over an open step', () => {
    expect(brokenBy(nesting, turnStart(1), stepStart(1), turnEnd(1), turnStart(2), turnEnd(2))).toEqual([2])
  })

  it('refuses a step outside its turn, or inside another step', () => {
    expect(brokenBy(nesting, stepStart(1))).toEqual([0])
    expect(brokenBy(nesting, turnStart(1), stepStart(1, 2))).toEqual([1])
    expect(brokenBy(nesting, turnStart(1), stepStart(1), stepStart(2))).toEqual([2])
  })

  it('refuses the end of a step that is not open', () => {
    expect(brokenBy(nesting, turnStart(1), stepEnd(0))).toEqual([1])
    expect(brokenBy(nesting, turnStart(1), stepStart(1), stepEnd(2))).toEqual([2])
    expect(brokenBy(nesting, turnStart(1), stepStart(1), stepEnd(1, 2))).toEqual([2])
  })

  it('ignores events of other types', () => {
    expect(nesting.apply(nesting.initial(), { ...raw('a/b'), seq: 0, time: 0 } as never)).toEqual(nesting.initial())
  })
})
