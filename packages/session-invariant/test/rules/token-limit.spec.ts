import { describe, expect, it } from 'vitest'
import { tokenLimit } from '../../src/rules/token-limit.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { finish, raw, stepEnd, stepStart, textDelta, turnEnd, turnStart } from '../support/draft.js'

const cutStep = [turnStart(1), stepStart(1), textDelta(), finish('max-tokens'), stepEnd(1)] as const

describe('token-limit', () => {
  it('accepts completed after steps that stopped by themselves', () => {
    expect(brokenBy(tokenLimit, turnStart(1), stepStart(1), finish('stop'), stepEnd(1), turnEnd(1))).toEqual([])
  })

  it.each(['max-tokens', 'aborted', 'disposed', 'interrupted', 'acme'])('accepts %s after a cut step', kind => {
    expect(brokenBy(tokenLimit, ...cutStep, turnEnd(1, { kind }))).toEqual([])
  })

  it('refuses completed after a cut step, even if a later one stopped by itself', () => {
    expect(brokenBy(tokenLimit, ...cutStep, turnEnd(1))).toEqual([5])
    expect(complaints(tokenLimit, ...cutStep, stepStart(2), finish('stop', 2), stepEnd(2), turnEnd(1))).toEqual([
      'expected reason "max-tokens" after a step cut at its token limit, found "completed" at data.reason.kind',
    ])
  })

  it('counts a cut step that is still open', () => {
    expect(brokenBy(tokenLimit, turnStart(1), stepStart(1), finish('max-tokens'), turnEnd(1))).toEqual([3])
  })

  it('does not count an attempt that was made again in the same step', () => {
    const log = [
      turnStart(1),
      stepStart(1),
      finish('max-tokens'),
      finish('stop'),
      finish('stop'),
      stepEnd(1),
      turnEnd(1),
    ]
    expect(brokenBy(tokenLimit, ...log)).toEqual([])
  })

  it('does not carry a cut into the next turn', () => {
    expect(brokenBy(tokenLimit, ...cutStep, turnEnd(1), turnStart(2), turnEnd(2))).toEqual([5])
    expect(brokenBy(tokenLimit, ...cutStep, turnStart(2), turnEnd(2))).toEqual([])
  })

  it('ignores events of other types', () => {
    expect(brokenBy({ ...tokenLimit, types: ['a/b'] }, raw('a/b'))).toEqual([])
  })
})
