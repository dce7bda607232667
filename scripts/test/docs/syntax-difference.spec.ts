import { describe, expect, it } from 'vitest'
import { findDifference } from '../../docs/syntax-difference.ts'
import { declarationsOf, parseSource } from '../../source.ts'

function difference(expected: string, found: string): (string | undefined)[] | undefined {
  const sources = [expected, found].map(text => parseSource('a.ts', text))
  const [left, right] = sources.map(source => declarationsOf(source)[0]!.node)
  return findDifference(left!, right!)?.map((node, side) => node && sources[side]!.text.slice(node.start, node.end))
}

describe('findDifference', () => {
  it.each([
    ['interface A { a: 1; b: "x" }', "interface A {\n  a: 1,\n  // why\n  b: 'x'\n}"],
    ['type A = 1 | 2', 'type A =\n  | 1\n  | 2'],
    ['declare class A { #a; private b; c: 1 }', 'declare class A { c: 1; private d }'],
  ])('finds none between %j and %j', (expected, found) => {
    expect(difference(expected, found)).toBeUndefined()
  })

  it.each([
    ['interface A { a: 1 }', 'interface A { a: 2 }', ['1', '2']],
    ['interface A { a: 1 }', 'interface A { readonly a: 1 }', ['a: 1', 'readonly a: 1']],
    ['interface A { a: 1 }', 'interface A { a?: 1 }', ['a: 1', 'a?: 1']],
    ['interface A { a: 1; b: 2 }', 'interface A { a: 1 }', ['b: 2', undefined]],
    ['interface A { a: 1 }', 'interface A { a: 1; b: 2 }', [undefined, 'b: 2']],
    ['type A = 1 | 2', 'type A = 2 | 1', ['1', '2']],
    ['type A<T> = T', 'type A<T extends 1> = T', ['T', 'T extends 1']],
    ['interface A extends B {}', 'interface A {}', ['B', undefined]],
    ['declare class A { c: 1 }', 'declare class A { protected c: 1 }', ['c: 1', 'protected c: 1']],
  ])('finds the innermost between %j and %j', (expected, found, pair) => {
    expect(difference(expected, found)).toEqual(pair)
  })
})
