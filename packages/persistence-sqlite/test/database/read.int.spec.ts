import { describe, expect, it } from 'vitest'
import type { ReadArguments, ReadPage } from '../../src/database/read.js'
import { readRecords } from '../../src/database/read.js'
import { removeSession } from '../../src/database/remove.js'
import { unpackRecords } from '../../src/record-block.js'
import { header, plain, sampleEvents, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

function stored(length = 100) {
  const at = openStore()
  const records = toRecords(sampleEvents(length))
  const ref = store(at, header(), records)
  const read = (more: Partial<ReadArguments> = {}): ReadPage =>
    readRecords(at, { ref, from: 0, to: Number.MAX_SAFE_INTEGER, reverse: false, surface: false, rows: 1_000, ...more })
  const all = (more: Partial<ReadArguments> = {}) => {
    const found: object[] = []
    let page = read(more)
    for (;;) {
      found.push(...unpackRecords(page.block).map(plain))
      if (!page.rest) return found
      page = read({ ...more, ...page.rest, end: page.end })
    }
  }
  return { at, ref, records, read, all }
}

describe('readRecords', () => {
  it.each([1, 2, 7, 1_000])('gives the whole range in pages of %i, both ways, all or the surface', rows => {
    const { records, all } = stored()
    for (const reverse of [false, true]) {
      for (const surface of [false, true]) {
        for (const [from, to] of [
          [0, 1_000],
          [13, 77],
          [15, 16],
        ] as const) {
          const expected = records.filter(
            each => each.seq + each.count > from && each.seq < to && (!surface || each.surface),
          )
          expect(all({ rows, reverse, surface, from, to })).toEqual(
            (reverse ? expected.reverse() : expected).map(plain),
          )
        }
      }
    }
  })

  it('stays with the end that the first page saw', () => {
    const { at, read } = stored(10)
    const first = read({ rows: 1 })
    expect(first.end).toBe(10)
    at.database.run('UPDATE sessions SET next_seq = 20')
    expect(read({ rows: 1, end: first.end }).end).toBe(10)
    expect(read({ rows: 1_000, ...first.rest!, end: first.end }).rest).toBeUndefined()
  })

  it.each([false, true])('tells of a lost record, reverse: %s', reverse => {
    const { at, all } = stored()
    at.database.run('DELETE FROM records WHERE seq = 50')
    for (const rows of [1, 3, 1_000]) {
      const refusal = expect.objectContaining({ code: 'SESSION_CORRUPT', seq: 50 })
      expect(() => all({ reverse, rows })).toThrow(refusal)
      expect(all({ reverse, rows, from: 60 })).toHaveLength(20)
    }
  })

  it('tells of a lost beginning and of a lost end', () => {
    const { at, all, read } = stored(12)
    at.database.run('DELETE FROM records WHERE seq = 11')
    expect(() => all()).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', seq: 11 }))
    expect(() => all({ reverse: true, rows: 1 })).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', seq: 11 }))
    at.database.run('DELETE FROM records WHERE seq = 0')
    expect(() => read({ rows: 1 })).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', seq: 0 }))
  })

  it('says that a session was removed while it was read', () => {
    const { at, ref, read } = stored()
    const { rest, end } = read({ rows: 5 })
    removeSession(at, { ...ref, trashed: false })
    const refusal = expect.objectContaining({ code: 'SESSION_NOT_FOUND', session: 's' })
    expect(() => read({ ...rest!, end })).toThrow(refusal)
    expect(() => read()).toThrow(refusal)
  })

  it('finds nothing in an empty session or behind the end', () => {
    const at = openStore()
    const ref = store(at, header())
    const page = readRecords(at, { ref, from: 5, to: 9, reverse: true, surface: false, rows: 1 })
    expect(unpackRecords(page.block)).toEqual([])
    expect(page).not.toHaveProperty('rest')
    const { all } = stored(5)
    expect(all({ from: 5 })).toEqual([])
    expect(all({ from: -3, to: 1 })).toHaveLength(1)
  })

  it('passes over what lies between two surface records', () => {
    const { at, all } = stored()
    at.database.run("UPDATE records SET body = 'rotten' WHERE surface = 0")
    expect(all({ surface: true })).toHaveLength(10)
    expect(() => all()).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', seq: 1 }))
  })

  it.each([1, 3, 1_000])('misses a record that the index of the surface lost, in pages of %i', rows => {
    for (const [from, to] of [
      [0, 100],
      [35, 71],
    ] as const) {
      for (const seq of [40, 50, 70]) {
        for (const reverse of [false, true]) {
          const { at, all } = stored()
          const range = { surface: true, reverse, rows, from, to }
          const count = all(range).length
          // As if the entry were gone: what is left of the record is not what its checksum was made of, and never read.
          at.database.run('UPDATE records SET surface = 0 WHERE seq = ?', seq)
          expect(count).toBe(from === 0 ? 10 : 4)
          expect(() => all(range)).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT' }))
        }
      }
    }
  })

  it('refuses a log that does not lead up to its end', () => {
    const { at, all } = stored(5)
    at.database.run('UPDATE sessions SET next_seq = 6')
    expect(() => all()).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', seq: 5 }))
  })
})
