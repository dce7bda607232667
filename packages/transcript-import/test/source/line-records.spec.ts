import { describe, expect, it } from 'vitest'
import { byteLength, LineReader } from '../../src/source/line-records.js'
import type { RawLine } from '../../src/source/lines.js'

function line(text: string | Uint8Array, more: Partial<RawLine> = {}): RawLine {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return { number: 3, byte: 10, bytes, length: bytes.length, isTerminated: true, isCut: false, ...more }
}

describe('LineReader', () => {
  it('gives a line as one record with its place', () => {
    expect(new LineReader().read(line('{"a":1}'))).toEqual([
      { ordinal: 0, position: { line: 3, byte: 10 }, value: { a: 1 } },
    ])
  })

  it('counts blank lines and gives nothing for them', () => {
    const reader = new LineReader()
    expect([...reader.read(line('')), ...reader.read(line(' \t'))]).toEqual([])
    expect(reader.blank).toBe(2)
  })

  it('numbers the values of a glued line, and goes on counting records', () => {
    const reader = new LineReader()
    const records = [...reader.read(line('{"a":1}{"b":2}')), ...reader.read(line('{"c":3}'))]
    expect(records.map(({ ordinal, position }) => [ordinal, position.item])).toEqual([
      [0, 1],
      [1, 2],
      [2, undefined],
    ])
  })

  it('says of a damaged last line that the file ends in it', () => {
    const damage = (isTerminated: boolean) => new LineReader().read(line('{"a":', { isTerminated }))[0]
    expect(damage(true)).toMatchObject({ damage: { reason: 'not a JSON record', text: '{"a":', bytes: 5 } })
    expect(damage(false)).toMatchObject({ damage: { reason: 'not a JSON record; the file ends in it' } })
  })

  it('reads a line that is not UTF-8, and says so', () => {
    const bytes = Uint8Array.of(...new TextEncoder().encode('{"a":"'), 0xff, ...new TextEncoder().encode('"}'))
    const [damage, record] = new LineReader().read(line(bytes))
    expect(damage).toMatchObject({ damage: { reason: 'not UTF-8; read with U+FFFD in place' } })
    expect(record).toMatchObject({ value: { a: '\ufffd' } })
  })

  it('gives a line that is too long as damage with its length', () => {
    const [damage] = new LineReader().read(line('{"a":', { isCut: true, length: 5_000_000 }))
    expect(damage).toMatchObject({ damage: { reason: 'longer than a record may be', bytes: 5_000_000 } })
  })

  it('shows no more of damage than its beginning', () => {
    const [damage] = new LineReader().read(line('x'.repeat(100_000)))
    expect(damage).toMatchObject({ damage: { bytes: 100_000 } })
    expect('damage' in damage! && damage.damage.text).toHaveLength(65_536)
  })
})

describe('byteLength', () => {
  it('counts the bytes of UTF-8', () => {
    for (const text of ['', 'a', 'é', '€', '😀', 'aé€😀']) {
      expect(byteLength(text)).toBe(new TextEncoder().encode(text).length)
    }
  })
})
