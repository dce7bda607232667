import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeSeqRuns, expandSeqRuns } from '../../src/codec/seq-runs.js'
import { expectError } from '../support/expect-error.js'

const max = Number.MAX_SAFE_INTEGER
const expand = (text: string, seq = max) => expandSeqRuns(JSON.parse(text), seq)

/** Unique seqs with stretches that ascend, descend and touch. */
const seqs = fc
  .array(fc.tuple(fc.oneof(fc.nat(60), fc.integer({ min: max - 30, max })), fc.nat(12), fc.boolean()), { maxLength: 8 })
  .map(stretches => {
    const all = stretches.flatMap(([start, length, descend]) => {
      const stretch = Array.from({ length }, (_, index) => start + index).filter(seq => seq <= max)
      return descend ? stretch.reverse() : stretch
    })
    return [...new Set(all)]
  })

describe('seq runs', () => {
  it('come back as the same seqs in the same order', () => {
    fc.assert(
      fc.property(seqs, list => {
        expect(expand(encodeSeqRuns(list))).toEqual(list)
      }),
      { numRuns: 500 },
    )
  })

  it('are never longer than the plain list', () => {
    fc.assert(
      fc.property(seqs, list => {
        expect(encodeSeqRuns(list).length).toBeLessThanOrEqual(JSON.stringify(list).length)
      }),
    )
  })

  it.each([
    [[], '[]'],
    [[7], '[7]'],
    [[7, 8], '[7,8]'],
    [[7, 8, 9], '[[7,9]]'],
    [[9, 8, 7], '[9,8,7]'],
    [[7, 120, 121, 122, 123], '[7,[120,123]]'],
    [[1, 2, 3, 2 ** 40, 4], `[[1,3],${2 ** 40},4]`],
    [[max - 2, max - 1, max], `[[${max - 2},${max}]]`],
  ])('write %j as %s', (list, text) => {
    expect(encodeSeqRuns(list)).toBe(text)
  })

  it('read a plain list as well, and give it frozen', () => {
    const list = expand('[1,2,3,4]')
    expect(list).toEqual([1, 2, 3, 4])
    expect(Object.isFrozen(list)).toBe(true)
  })

  it.each([
    ['"1"', 'sourceEventSeqs'],
    ['{}', 'sourceEventSeqs'],
    ['[-1]', 'sourceEventSeqs[0]'],
    ['[-0]', 'sourceEventSeqs[0]'],
    ['[1.5]', 'sourceEventSeqs[0]'],
    ['[9007199254740992]', 'sourceEventSeqs[0]'],
    ['[4,"5"]', 'sourceEventSeqs[1]'],
    ['[4,null]', 'sourceEventSeqs[1]'],
    ['[[]]', 'sourceEventSeqs[0]'],
    ['[[1]]', 'sourceEventSeqs[0]'],
    ['[[1,2,3]]', 'sourceEventSeqs[0]'],
    ['[[5,5]]', 'sourceEventSeqs[0]'],
    ['[[5,4]]', 'sourceEventSeqs[0]'],
    ['[[-1,4]]', 'sourceEventSeqs[0]'],
    ['[[1,4.5]]', 'sourceEventSeqs[0]'],
    ['[[1,[2]]]', 'sourceEventSeqs[0]'],
  ])('refuse %s', (text, path) => {
    expect(expectError('INVALID_EVENT', () => expand(text, 9)).path).toBe(path)
  })

  it('refuse more seqs than come before the event, without making room for them', () => {
    expect(expand('[[0,8]]', 9)).toHaveLength(9)
    expectError('INVALID_EVENT', () => expand('[[0,9]]', 9))
    expectError('INVALID_EVENT', () => expand('[[0,7],20,21]', 9))
    expectError('INVALID_EVENT', () => expand('[0]', 0))
    expectError('INVALID_EVENT', () => expand(`[[0,${max - 1}]]`))
  })
})
