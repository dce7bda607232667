import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeJson, visible, visibleJson } from '../../src/terminal/visible.js'

// By code point and not by property, so that the pattern under test is not its own judge.
const isUnsafe = (code: number) =>
  code < 0x20 ||
  (code >= 0x7f && code <= 0x9f) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  [0x061c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff].includes(code) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  (code >= 0xfff9 && code <= 0xfffb) ||
  (code >= 0xe0000 && code <= 0xe007f)

const hasUnsafe = (text: string) => Array.from(text).some(char => isUnsafe(char.codePointAt(0)!))

const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[2J',
        '\u009b31m',
        '\u202e',
        '\u2066',
        '\ud800',
        '\udfff',
        '\u{e0041}',
        '\r',
        '\u0007',
        '\u200f',
      ),
    ),
  )
  .map(parts => parts.join(''))

describe('visible', () => {
  it('leaves plain, wide, joined and accented text as it is', () => {
    for (const text of ['plain ~ text', '汉字かな한글', '👩‍👩‍👧 🙂', 'e\u0301', 'مرحبا', 'می‌خواهم', '\u00a0']) {
      expect(visible(text)).toBe(text)
    }
  })

  it('shows what would drive a terminal as an escape', () => {
    expect(visible('a\n\r\tb')).toBe('a\\n\\r\\tb')
    expect(visible('\u001b]0;owned\u0007')).toBe('\\x1b]0;owned\\x07')
    expect(visible('\u009b31m\u007f\u0000')).toBe('\\x9b31m\\x7f\\x00')
    expect(visible('abc\u202edcba\u2029')).toBe('abc\\u{202e}dcba\\u{2029}')
    expect(visible('\ud83d')).toBe('\\u{d83d}')
    expect(visible('\u{e0041}')).toBe('\\u{e0041}')
  })

  it('lets nothing through that drives a terminal, and says the same of its own output', () => {
    fc.assert(
      fc.property(nasty, text => {
        const shown = visible(text)
        expect(hasUnsafe(shown)).toBe(false)
        expect(visible(shown)).toBe(shown)
        if (!hasUnsafe(text)) expect(shown).toBe(text)
      }),
    )
  })
})

describe('visibleJson', () => {
  it('parses to the same value and holds nothing that drives a terminal', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), nasty, (value, text) => {
        const given = { [text]: value, text }
        const json = visibleJson(given)
        expect(hasUnsafe(json)).toBe(false)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(given)))
      }),
    )
  })

  it('writes null for what JSON has no word for', () => {
    expect(visibleJson(undefined)).toBe('null')
  })
})

describe('escapeJson', () => {
  it('keeps the line feeds between lines of JSON', () => {
    expect(escapeJson('{"a":1}\n{"b":"\u009b"}\n')).toBe('{"a":1}\n{"b":"\\u009b"}\n')
  })
})
