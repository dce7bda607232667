import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Column, layOutTable } from '../../src/terminal/table.js'
import { paint, type Text, textWidth } from '../../src/terminal/text.js'

const columns: readonly Column[] = [
  { title: 'ID', least: 4 },
  { title: 'SIZE', align: 'right', leaves: 2 },
  { title: 'PATH', least: 6, cut: 'start', leaves: 1 },
  { title: 'TITLE', least: 5 },
]

function lay(rows: readonly (readonly Text[])[], available?: number): string[] {
  return layOutTable(columns, rows, available).map(line => paint(line, false))
}

describe('layOutTable', () => {
  it('lines columns up by what they show', () => {
    expect(
      lay([
        ['a', '1', '/x', '漢字'],
        ['bcd', '1,000', '/long/path', 'end'],
      ]),
    ).toEqual(['ID    SIZE  PATH        TITLE', 'a        1  /x          漢字', 'bcd  1,000  /long/path  end'])
  })

  it('cuts what can be cut, the widest first, and drops columns only when that is not enough', () => {
    const row = [['session-id', '1', '/a/long/path', 'A long title']]
    expect(lay(row, 40)).toEqual(['ID          SIZE  PATH        TITLE', 'session-id     1  …long/path  A long ti…'])
    expect(lay(row, 27)).toEqual(['ID     SIZE  PATH    TITLE', 'sess…     1  …/path  A lon…'])
    expect(lay(row, 22)).toEqual(['ID      PATH    TITLE', 'sessi…  …/path  A lon…'])
    expect(lay(row, 12)).toEqual(['ID     TITLE', 'sess…  A lo…'])
  })

  it('cuts below the least widths before it leaves the terminal', () => {
    const row = [['session-id', '', '', 'A long title']]
    expect(lay(row, 10)).toEqual(['ID    TIT…', 'ses…  A l…'])
  })

  it('leaves out a column that says nothing', () => {
    expect(lay([['a', '', '', 'b']])).toEqual(['ID  TITLE', 'a   b'])
  })

  it('keeps within the terminal wherever its least widths do, and gives all rows one shape', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 30 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 10, max: 90 }),
        (rows, available) => {
          const lines = layOutTable(columns, rows, available)
          expect(lines).toHaveLength(rows.length + 1)
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(available)
        },
      ),
    )
  })
})
