import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ascii, LineScanner } from '../../src/codec/line-scanner.js'
import { bytes, hostileText } from './arbitraries.js'

const scan = (text: string) => new LineScanner(bytes(text))
const isCanonical = (text: string) => /^(0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))

describe('LineScanner.skip', () => {
  it('steps over what comes next and stays where something else does', () => {
    const line = scan('{"a":1')
    expect([line.skip(ascii('{"b')), line.at]).toEqual([false, 0])
    expect([line.skip(ascii('{"a"')), line.at]).toEqual([true, 4])
    expect([line.skip(ascii(':1}')), line.at]).toEqual([false, 4])
  })
})

describe('LineScanner.integer', () => {
  it('reads safe integers as JSON.stringify spells them, and nothing else', () => {
    const digits = fc.oneof(fc.maxSafeInteger().map(String), fc.stringMatching(/^-?[0-9]{0,18}$/))
    fc.assert(
      fc.property(digits, fc.constantFrom('', ',', ']'), (text, after) => {
        const line = scan(text + after)
        const value = line.integer()
        if (isCanonical(text)) expect([value, line.at]).toEqual([Number(text), text.length])
        else expect([value, line.at]).toEqual([Number.NaN, 0])
      }),
      { numRuns: 500 },
    )
  })

  it.each(['9007199254740991', '-9007199254740991', '0'])('reads %s', text => {
    expect(scan(text).integer()).toBe(Number(text))
  })

  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '99999999999999999999',
    '-0',
    '01',
    '-',
    '',
    '+1',
    ' 1',
  ])('refuses "%s"', text => {
    expect(scan(text).integer()).toBeNaN()
  })
})

describe('LineScanner.addIntegers', () => {
  it('adds up what JSON.stringify wrote', () => {
    const gap = fc.oneof(fc.integer({ min: -15, max: 120 }), fc.integer())
    fc.assert(
      fc.property(fc.array(gap), fc.integer(), (gaps, first) => {
        const line = scan(`${gaps.join()}]`)
        const sum = gaps.reduce((total, gap) => total + gap, first)
        expect([line.addIntegers(first, gaps.length), line.skip(ascii(']'))]).toEqual([sum, true])
      }),
    )
  })

  it.each(['1', '1,', '1,2', '1,,2', '1 ,2,3', '1,02,3', '1,2,x', '1,-,3', '1,2,3.5', '1;2;3', ''])(
    'does not take "%s" for three integers and the end of their list',
    text => {
      const line = scan(`${text}]`)
      expect(!Number.isNaN(line.addIntegers(0, 3)) && line.skip(ascii(']'))).toBe(false)
    },
  )

  it('refuses a sum that leaves the safe integers', () => {
    expect(scan('1,-1]').addIntegers(Number.MAX_SAFE_INTEGER, 2)).toBeNaN()
  })
})

describe('LineScanner.skipString', () => {
  it('ends where the string ends', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (text, after) => {
        const quoted = JSON.stringify(text)
        const line = scan(quoted + after)
        expect([line.skipString(), line.at]).toEqual([true, bytes(quoted).length])
      }),
    )
  })

  it.each(['', 'x', '"', '"x', '"x\\"', '"\\'])('refuses %s', text => {
    expect(scan(text).skipString()).toBe(false)
  })
})
