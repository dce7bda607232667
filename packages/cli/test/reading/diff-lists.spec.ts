import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLists, type Edit } from '../../src/reading/diff-lists.js'

function format(a: readonly string[], b: readonly string[]): string {
  return diffLists(a, b)
    .map(edit => (edit.kind === 'same' ? ` ${a[edit.a]}` : edit.kind === 'removed' ? `-${a[edit.a]}` : `+${b[edit.b]}`))
    .join('')
}

const lists = fc.tuple(fc.array(fc.constantFrom(...'abcdef')), fc.array(fc.constantFrom(...'abcdef')))

describe('diffLists', () => {
  it('keeps what both have in the same order', () => {
    expect(format([...'abc'], [...'abc'])).toBe(' a b c')
    expect(format([...'abc'], [...'axc'])).toBe(' a-b+x c')
    expect(format([], [...'ab'])).toBe('+a+b')
    expect(format([...'ab'], [])).toBe('-a-b')
    expect(format([...'aXbXc'], [...'aYbYc'])).toBe(' a-X+Y b-X+Y c')
    expect(format([...'12345'], [...'13245'])).toMatch(/^ 1(\+3 2-3|-2 3\+2) 4 5$/)
  })

  it('goes from the one to the other, each element once and in order', () => {
    fc.assert(
      fc.property(lists, ([a, b]) => {
        const edits = diffLists(a, b)
        const positions = (side: 'a' | 'b') =>
          edits.flatMap((edit: Edit) => (side in edit ? [(edit as Record<'a' | 'b', number>)[side]] : []))
        expect(positions('a')).toEqual(a.map((_, at) => at))
        expect(positions('b')).toEqual(b.map((_, at) => at))
        for (const edit of edits) if (edit.kind === 'same') expect(a[edit.a]).toBe(b[edit.b])
      }),
    )
  })

  it('finds that a list equals itself, and that an insertion is one', () => {
    fc.assert(
      fc.property(lists, ([a, b]) => {
        expect(diffLists(a, a).every(({ kind }) => kind === 'same')).toBe(true)
        const longer = [...a, ...b]
        expect(diffLists(a, longer).filter(({ kind }) => kind === 'removed')).toEqual([])
      }),
    )
  })

  it('copes with long lists that have nothing in common', () => {
    const [a, b] = [0, 1].map(side => Array.from({ length: 20_000 }, (_, at) => `${side}:${at}`))
    expect(diffLists(a!, b!)).toHaveLength(40_000)
  })
})
