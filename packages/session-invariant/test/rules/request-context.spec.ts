import { describe, expect, it } from 'vitest'
import { requestContext } from '../../src/rules/request-context.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { context, header, raw, stepEnd, stepStart, turnEnd, turnStart } from '../support/draft.js'

const open = [turnStart(1), stepStart(1), header()] as const

describe('request-context', () => {
  it('accepts a context after the header of its step, and another when it changes', () => {
    const log = [...open, context(1_000), stepEnd(1), stepStart(2), header('change', 'B'), context(2_000)]
    expect(brokenBy(requestContext, ...log)).toEqual([])
  })

  it.each([{ provider: 'other' }, { model: 'm-2' }, { contextWindow: 5 }])('takes %j for a change', change => {
    const changed = raw('request/context', { provider: 'acme', model: 'm-1', contextWindow: 1_000, ...change })
    expect(brokenBy(requestContext, ...open, context(1_000), changed)).toEqual([])
  })

  it('refuses a context that repeats the one in force, in later turns too', () => {
    const later = [stepEnd(1), turnEnd(1), turnStart(2), stepStart(1, 2), header('resume'), context(1_000)]
    expect(complaints(requestContext, ...open, context(1_000), ...later)).toEqual([
      'expected a context that differs from the one in force, found an equal one at data',
    ])
  })

  it('refuses a context without a header of the same step before it', () => {
    expect(brokenBy(requestContext, turnStart(1), stepStart(1), context(), header())).toEqual([2])
    expect(brokenBy(requestContext, ...open, stepEnd(1), stepStart(2), context())).toEqual([5])
  })
})
