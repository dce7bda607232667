import { describe, expect, it } from 'vitest'
import { countArgument, parseArguments, textArgument } from '../../src/tools/arguments.ts'

describe('tool arguments', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['{', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['1', undefined],
  ])('reads %j', (text, expected) => {
    expect(parseArguments(text)).toEqual(expected)
  })

  it('says which argument is wrong, what was expected and what was found', () => {
    const range = { least: 1, most: 9, fallback: 5 }
    expect(textArgument({ a: 'x' }, 'a')).toBe('x')
    expect(textArgument({}, 'a', 'y')).toBe('y')
    expect(countArgument({}, 'n', range)).toBe(5)
    expect(countArgument({ n: 9 }, 'n', range)).toBe(9)
    expect(() => textArgument({}, 'a')).toThrow('Argument "a": expected a string, found nothing.')
    expect(() => textArgument({ a: [1] }, 'a')).toThrow('found [1].')
    for (const n of [0, 10, 1.5, '3', true]) {
      expect(() => countArgument({ n }, 'n', range)).toThrow(
        `Argument "n": expected a whole number from 1 to 9, found ${JSON.stringify(n)}.`,
      )
    }
  })
})
