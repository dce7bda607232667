import { describe, expect, it } from 'vitest'
import { LooseRows, readLooseRows } from '../src/loose-rows.js'
import { memorySource } from '../src/source.js'
import { event, lines, prompt, toRecords } from './support/records.js'

const rows = lines(toRecords([event(0), prompt(1, 'a prompt'), event(2)]))

async function read(text: string | Buffer, keepUnterminated = false) {
  const bytes = Buffer.from(text)
  const loose = new LooseRows({ byte: 0, next: 0, lines: 0 }, keepUnterminated)
  const found: string[] = []
  for await (const records of readLooseRows(memorySource(bytes), loose, bytes.length, { blockBytes: 50 })) {
    found.push(...lines(records))
  }
  return { loose, found }
}

const text = (...all: string[]) => all.map(line => `${line}\n`).join('')

describe('LooseRows', () => {
  it('keeps whole rows in their order', async () => {
    const { loose, found } = await read(text(...rows))
    expect(found).toEqual(rows)
    expect(loose).toMatchObject({ next: 3, end: text(...rows).length, notes: [] })
    expect(loose.damage).toBeUndefined()
  })

  it('keeps nothing from the first bad line on', async () => {
    const bad = [
      'null',
      '{}',
      rows[1]!.replace('"a prompt"', '"a \u0000 prompt"'),
      rows[1]!.replace('"seq":1', '"seq":5'),
      rows[1]!.replace('"role":"user"', '"role":1e999'),
      '{"type":"commit","next":1,"time":2,"bytes":3,"crc":4}',
      '{"type":"session","version":1,"id":"s","createdAt":1}',
    ]
    for (const line of bad) {
      const { loose, found } = await read(text(rows[0]!, line, 'and another', rows[1]!))
      expect(found).toEqual([rows[0]])
      expect(loose).toMatchObject({ next: 1, end: rows[0]!.length + 1 })
      expect(loose.damage).toMatchObject({ byte: rows[0]!.length + 1, line: 2, seq: 1 })
    }
  })

  it('keeps nothing after invalid UTF-8', async () => {
    const bytes = Buffer.from(text(...rows))
    bytes[bytes.indexOf('a prompt')] = 0xff
    expect((await read(bytes)).found).toEqual([rows[0]])
  })

  it('passes over the beginning of a row that the whole row follows', async () => {
    for (const length of [1, 10, 60, rows[1]!.length - 1]) {
      const { loose, found } = await read(text(rows[0]!, rows[1]!.slice(0, length), rows[1]!, rows[2]!))
      expect(found).toEqual(rows)
      expect(loose.notes).toEqual([`passed over the beginning of event 1 at byte ${rows[0]!.length + 1}`])
    }
  })

  it('passes over a row twice in a row, but not over another of the same number', async () => {
    const twice = await read(text(rows[0]!, rows[1]!, rows[1]!, rows[2]!))
    expect(twice.found).toEqual(rows)
    expect(twice.loose.notes).toEqual(['passed over a second copy of event 1'])
    const other = rows[1]!.replace('a prompt', 'another prompt')
    expect((await read(text(rows[0]!, rows[1]!, other, rows[2]!))).found).toEqual(rows.slice(0, 2))
    expect((await read(text(rows[0]!, rows[1]!, other, other))).found).toEqual(rows.slice(0, 2))
  })

  it('passes over no whole line, whatever follows it, because something was recorded there', async () => {
    for (const line of [rows[2]!, '{"type":"session","version":1}', '[]', 'null']) {
      const { loose, found } = await read(text(rows[0]!, line, rows[1]!, rows[2]!))
      expect(found).toEqual([rows[0]])
      expect(loose.notes).toEqual([])
      expect(loose.mayBeTorn).toBe(false)
    }
    const { loose } = await read(text(rows[0]!, rows[1]!.slice(0, 20)))
    expect(loose.mayBeTorn).toBe(true)
  })

  it('passes over blank lines and carriage returns', async () => {
    const { loose, found } = await read(`\r\n${rows[0]}\r\n \t\n\n${rows[1]}\r\n`)
    expect(found).toEqual(rows.slice(0, 2))
    expect(loose.damage).toBeUndefined()
  })

  it('keeps a whole row without its line feed only when it is told to', async () => {
    const torn = `${text(rows[0]!)}${rows[1]}`
    expect((await read(torn)).found).toEqual([rows[0]])
    const kept = await read(torn, true)
    expect(kept.found).toEqual(rows.slice(0, 2))
    expect(kept.loose).toMatchObject({ unterminated: true, end: torn.length })
    const half = await read(torn.slice(0, -1), true)
    expect(half.found).toEqual([rows[0]])
    expect(half.loose).toMatchObject({ unterminated: false, end: rows[0]!.length + 1 })
  })
})
