import { describe, expect, it } from 'vitest'
import { strictEnclosure } from '../../src/rules/strict-enclosure.js'
import { brokenBy } from '../support/broken-by.js'
import { raw, turnEnd, turnStart, user } from '../support/draft.js'

describe('strict-enclosure', () => {
  it('accepts every event inside a turn', () => {
    expect(brokenBy(strictEnclosure, turnStart(1), user(), raw('acme/note'), turnEnd(1), turnStart(2))).toEqual([])
  })

  it('refuses idle messages, plugin events and rewrites between turns', () => {
    const rewrite = user('Hi', { op: 'replace', start: 0, end: 0 })
    expect(brokenBy(strictEnclosure, user(), turnStart(1), turnEnd(1), raw('acme/note'), rewrite)).toEqual([0, 3, 4])
  })
})
