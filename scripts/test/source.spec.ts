import { describe, expect, it } from 'vitest'
import { declarationsOf, docBefore, lineAt, parseSource } from '../source.ts'

describe('declarationsOf', () => {
  it('names every declaration at the top, with its line, its docstring and whether it is exported', () => {
    const text = [
      '/** First. */',
      'export interface A {}',
      'type B = 1',
      '// not a docstring',
      'export const c = 1, d = 2',
      '',
      '/**',
      ' * Two lines,',
      ' *   {@link A} included.',
      ' */',
      'export declare class E {}',
      'export declare function f(): void',
      'export * from "./x.js"',
      'c',
    ].join('\n')
    const found = declarationsOf(parseSource('a.ts', text)).map(({ name, line, doc, isExported }) => [
      name,
      line,
      doc,
      isExported,
    ])
    expect(found).toEqual([
      ['A', 2, 'First.', true],
      ['B', 3, '', false],
      ['c', 5, '', true],
      ['d', 5, '', true],
      ['E', 11, 'Two lines,\n  `A` included.', true],
      ['f', 12, '', true],
    ])
  })

  it('looks into extensions of modules, and not into namespaces', () => {
    const text =
      "declare module '@dsh/x' { interface A {} }\ndeclare namespace N { interface B {} }\ndeclare module 'y'"
    expect(declarationsOf(parseSource('a.ts', text))).toMatchObject([{ name: 'A', augments: '@dsh/x' }])
  })
})

describe('parseSource', () => {
  it('names the place of a syntax error', () => {
    expect(() => parseSource('a.ts', 'let a\ninterface {')).toThrow(
      /^a\.ts:2: expected TypeScript that parses, found: /,
    )
  })
})

describe('docBefore', () => {
  it('takes only a JSDoc comment that nothing separates from the place', () => {
    const text = '/** far */ let a\n/* plain */\nlet b'
    expect(docBefore(parseSource('a.ts', text), text.indexOf('let b'))).toBe('')
  })
})

describe('lineAt', () => {
  it('counts from 1', () => {
    expect([0, 1, 2].map(offset => lineAt('a\nb', offset))).toEqual([1, 1, 2])
  })
})
