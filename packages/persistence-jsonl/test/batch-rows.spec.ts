import { describe, expect, it } from 'vitest'
import { BatchRows } from '../src/batch-rows.js'
import type { CommitLine } from '../src/commit-line.js'
import { event, lines, prompt, toRecords } from './support/records.js'

const rows = lines(toRecords([event(0), prompt(1, 'long enough to be torn'), event(2)]))

function commit(next: number): CommitLine {
  return { next, time: 0, bytes: 0, crc: 0, covered: 0 }
}

function feed(...texts: string[]): BatchRows {
  const collected = new BatchRows(0)
  for (const text of texts) {
    const bytes = Buffer.from(text)
    collected.line({ bytes, start: 0 }, 0, bytes.length)
  }
  return collected
}

describe('BatchRows', () => {
  it('gives the rows of a batch once its commit line agrees, and not before', () => {
    const collected = feed(...rows)
    expect(collected.take()).toEqual([])
    expect(collected.seal(commit(3))).toBeUndefined()
    expect(lines(collected.take())).toEqual(rows)
    expect(collected.take()).toEqual([])
  })

  it.each([
    ['blank lines', ['', rows[0]!, ' \t', `${rows[1]}\r`, '\r', rows[2]!]],
    ['a row twice in a row', [rows[0]!, rows[0]!, rows[1]!, rows[2]!]],
    ['the beginning of a row before the whole', [rows[0]!, rows[1]!.slice(0, 60), rows[1]!, rows[2]!]],
    ['a beginning that looks like a row', [rows[0]!, rows[1]!.slice(0, rows[1]!.indexOf('}') + 1), rows[1]!, rows[2]!]],
  ])('passes over %s, which a commit line covers too', (_, texts) => {
    const collected = feed(...texts)
    expect(collected.seal(commit(3))).toBeUndefined()
    expect(lines(collected.take())).toEqual(rows)
  })

  it.each([
    ['too few rows', rows.slice(0, 2), 'rows up to event 3, as the commit line says'],
    ['a gap', [rows[0]!, rows[2]!], 'the row of event 1'],
    ['another order', [rows[1]!, rows[0]!, rows[2]!], 'the row of event 0'],
    ['what is no row', [rows[0]!, '{}', rows[2]!], 'a row'],
  ])('says what is wrong with %s', (_, texts, expected) => {
    const collected = feed(...texts)
    expect(collected.seal(commit(3))).toMatchObject({ expected })
    expect(collected.take()).toEqual([])
  })

  it('leaves a row that was given out alone when another of its number follows', () => {
    const collected = feed(rows[0]!)
    collected.seal(commit(1))
    const other = Buffer.from(rows[0]!)
    collected.line({ bytes: other, start: 0 }, 0, other.length)
    expect(lines(collected.take())).toEqual([rows[0]])
  })
})
