import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SeqMap } from '../../../src/readers/event-log/seq-map.js'

describe('SeqMap', () => {
  it('finds every number that was added, and no other', () => {
    const gap = fc.record({ source: fc.integer({ min: 1, max: 3 }), target: fc.integer({ min: 1, max: 3 }) })
    fc.assert(
      fc.property(fc.array(gap, { maxLength: 40 }), gaps => {
        const map = new SeqMap()
        const naive = new Map<number, number>()
        let [source, target] = [0, 0]
        for (const step of gaps) {
          source += step.source
          target += step.target
          map.add(source, target)
          naive.set(source, target)
        }
        for (let number = -1; number <= source + 2; number++) expect(map.get(number)).toBe(naive.get(number))
      }),
    )
  })
})
