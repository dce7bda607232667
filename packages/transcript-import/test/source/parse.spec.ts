import { isJsonValue, snapshotJsonValue } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseValue } from '../../src/source/parse.js'

describe('parseValue', () => {
  it('parses objects and lists and nothing else', () => {
    expect(parseValue('{"a":[1]}')).toEqual({ a: [1] })
    expect(parseValue('[]')).toEqual([])
    for (const text of ['1', '"a"', 'null', 'true', '', '{', '{"a":1}{']) expect(parseValue(text)).toBeUndefined()
  })

  it('keeps the digits of a number that a double cannot hold', () => {
    const text = '{"a":12345678901234567890,"b":-0,"c":1e999,"d":1700000000000000000,"e":9007199254740991}'
    expect(parseValue(text)).toEqual({
      a: '12345678901234567890',
      b: '-0',
      c: '1e999',
      d: 1700000000000000000,
      e: 9007199254740991,
    })
  })

  it('takes a number that JavaScript wrote, whatever its exact value is', () => {
    expect(parseValue('{"a":-35584837045692710}')).toEqual({ a: -35584837045692710 })
  })

  it('leaves digits inside strings alone', () => {
    expect(parseValue('{"a":"12345678901234567890 -0"}')).toEqual({ a: '12345678901234567890 -0' })
  })

  it('gives a value that nests too deeply for an event as its text', () => {
    const deep = `${'['.repeat(950)}${']'.repeat(950)}`
    expect(parseValue(deep)).toBe(deep)
    expect(snapshotJsonValue({ record: parseValue(deep)! })).toEqual({ record: deep })
  })

  it('keeps an own __proto__', () => {
    expect(Object.keys(parseValue('{"__proto__":{"a":1}}')!)).toEqual(['__proto__'])
  })

  it('gives what the log takes, equal to what was written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const text = JSON.stringify({ value })
        const parsed = parseValue(text)
        expect(isJsonValue(parsed)).toBe(true)
        expect(JSON.stringify(parsed)).toBe(text)
      }),
    )
  })
})
