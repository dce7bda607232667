import { describe, expect, it } from 'vitest'
import { callsAnswered } from '../../src/rules/calls-answered.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { assistant, call, say, stepEnd, stepStart, toolCall, toolResult, turnStart } from '../support/draft.js'

const step = [turnStart(1), stepStart(1), assistant([call('a'), call('b')]), toolCall('a'), toolCall('b')] as const

describe('calls-answered', () => {
  it('accepts a step without calls, and one with an answer to each', () => {
    expect(brokenBy(callsAnswered, turnStart(1), stepStart(1), assistant([say('Hi')]), stepEnd(1))).toEqual([])
    expect(brokenBy(callsAnswered, ...step, toolResult('b'), toolResult('a', { isError: true }), stepEnd(1))).toEqual(
      [],
    )
  })

  it('refuses a step that ends with a call in flight', () => {
    expect(complaints(callsAnswered, ...step, toolResult('b'), stepEnd(1))).toEqual([
      'expected an answer to every call, found none to "a" at type',
    ])
  })

  it('counts a call block that was never started', () => {
    expect(brokenBy(callsAnswered, turnStart(1), stepStart(1), assistant([call('a')]), stepEnd(1))).toEqual([3])
  })

  it('does not blame the next step', () => {
    expect(brokenBy(callsAnswered, ...step, stepEnd(1), stepStart(2), stepEnd(2))).toEqual([5])
  })

  it('takes a rewrite for no answer', () => {
    const rewrite = toolResult('a', { surfaceOp: { op: 'replace', start: 5, end: 5 } })
    expect(brokenBy(callsAnswered, ...step, toolResult('b'), rewrite, stepEnd(1))).toEqual([7])
  })
})
