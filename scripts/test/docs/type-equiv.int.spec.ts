import { describe, expect, it } from 'vitest'
import { readPages } from '../../docs/page.ts'
import { checkTypes } from '../../docs/type-equiv.ts'
import { scratch } from '../scratch.ts'

const source = `/** A thing. */
export interface Thing {
  /** Its name. */
  readonly name: string
  size?: number | 'big'
}

export type Kind = 'a' | 'b'
interface Inner { x: 1 }
declare module '@dsh/session' {
  interface SessionEventMap {
    'a/b': Thing
  }
}
export class Box { #hidden = 1; private own = 2; open(): void {} }
`

const typings = `export interface Thing { stale: true }
export declare class Box {
    #hidden;
    private own;
    open(): void;
}
export declare function make(name: string): Thing;
export declare const limit = 5;
`

function check(...code: string[]): string[] {
  const base = scratch({
    'README.md': ['# A', '```ts type-equiv', ...code, '```'].join('\n'),
    'packages/core/package.json': '{ "name": "@dsh/core" }',
    'packages/core/src/thing.ts': source,
    'packages/core/dist/thing.d.ts': typings,
    'packages/other/package.json': '{ "name": "@dsh/other" }',
    'packages/other/src/kind.ts': "export type Kind = 'c'",
  })
  return checkTypes(readPages(base), base).map(({ line, expected, found }) => `${line}: ${expected}; ${found}`)
}

describe('checkTypes', () => {
  it('accepts a quotation that differs in space, comments, quotes and separators only', () => {
    const code = ['export interface Thing {', 'readonly name: string, // size', 'size?: | number | "big"; }']
    expect(check(...code)).toEqual([])
  })

  it('accepts classes without bodies or private members, functions and variables as in the typings', () => {
    expect(check('export declare class Box { open(): void }')).toEqual([])
    expect(check('export declare function make(name: string): Thing', 'export declare const limit = 5')).toEqual([])
  })

  it('accepts what equals one of several declarations of a name', () => {
    expect(check("export type Kind = 'c'")).toEqual([])
    expect(check("export type Kind = 'a' | 'b'")).toEqual([])
  })

  it('accepts what is not exported, and extensions of a module', () => {
    expect(check('interface Inner { x: 1 }')).toEqual([])
    expect(check("declare module '@dsh/session' { interface SessionEventMap { 'a/b': Thing } }")).toEqual([])
  })

  it.each([
    [
      'a missing modifier',
      "export interface Thing { name: string\nsize?: number | 'big' }",
      '3: `readonly name: string` in `Thing` (packages/core/src/thing.ts:2); `name: string`',
    ],
    [
      'another type',
      "export interface Thing { readonly name: string\nsize?: number | 'small' }",
      "4: `'big'` in `Thing` (packages/core/src/thing.ts:2); `'small'`",
    ],
    [
      'a missing member',
      'export interface Thing { readonly name: string }',
      "3: `size?: number | 'big'` in `Thing` (packages/core/src/thing.ts:2); nothing more",
    ],
    [
      'a member too many',
      "export interface Thing { readonly name: string\nsize?: number | 'big'\nextra: 1 }",
      '5: nothing more in `Thing` (packages/core/src/thing.ts:2); `extra: 1`',
    ],
    [
      'a missing export',
      "type Kind = 'c'",
      '3: `Kind` with `export` (packages/core/src/thing.ts:8); `Kind` without `export`',
    ],
    [
      'another member of a class',
      'export declare class Box { shut(): void }',
      '3: `open` in `Box` (packages/core/dist/thing.d.ts:2); `shut`',
    ],
    ['an unknown name', 'export interface Nothing {}', '3: the name of a declaration in the packages; `Nothing`'],
    ['a block without declarations', 'let', '3: declarations that parse; a block without declarations'],
  ])('refuses %s', (_, code, message) => {
    expect(check(...code.split('\n'))).toEqual([message])
  })

  it('says where a block does not parse', () => {
    expect(check('', 'interface {')).toEqual([
      expect.stringMatching(/^3: declarations that parse; README\.md:2: expected/),
    ])
  })
})
