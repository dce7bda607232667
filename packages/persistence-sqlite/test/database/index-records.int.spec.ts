import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { appendRecords } from '../../src/database/append.js'
import { clearIndex, indexSlice, prepareIndex } from '../../src/database/index-records.js'
import type { Store } from '../../src/database/store.js'
import { packRecords } from '../../src/record-block.js'
import { IndexDamage } from '../../src/search/text-index.js'
import { header, prompt, T0, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

const count = ({ database }: Store, term: string) =>
  database.all('SELECT rowid FROM texts WHERE texts MATCH ?', `"${term}"`).length

function fill(at: Store): number {
  let slices = 1
  while (!indexSlice(at)) slices++
  return slices
}

function stored(length: number): Store {
  const at = openStore()
  store(at, header(), toRecords(Array.from({ length }, (_, seq) => prompt(seq, `text ${seq}`))))
  return at
}

describe('indexSlice', () => {
  it('derives the index from the records anew, a slice at a time', () => {
    const at = stored(250)
    clearIndex(at)
    expect(count(at, 'text')).toBe(0)
    expect(fill(at)).toBe(3)
    expect(count(at, 'text')).toBe(250)
    expect(at.index.next).toBeUndefined()
    expect(indexSlice(at)).toBe(true)
  })

  it('goes on where it stopped, and takes what was stored meanwhile once', () => {
    const at = stored(150)
    clearIndex(at)
    indexSlice(at)
    store(at, header('late'), toRecords([prompt(0, 'late text')]))
    prepareIndex(at)
    fill(at)
    expect(count(at, 'text')).toBe(151)
    expect(count(at, 'late')).toBe(1)
  })

  it('takes what another release had to leave out', () => {
    const at = stored(3)
    fill(at)
    at.database.exec('DELETE FROM texts WHERE rowid = 2; UPDATE text_index SET next = 2')
    fill(at)
    expect(count(at, 'text')).toBe(3)
  })
})

describe('prepareIndex', () => {
  it('waits for nobody when there is nothing to do', () => {
    const at = stored(1)
    const other = new DatabaseSync(at.database.file)
    other.exec('BEGIN IMMEDIATE')
    prepareIndex(at)
    other.exec('ROLLBACK')
    other.close()
  })

  it('makes an index where somebody dropped it', () => {
    const at = stored(3)
    at.database.exec('DROP TABLE texts; DROP TABLE text_index')
    prepareIndex(at)
    fill(at)
    expect(count(at, 'text')).toBe(3)
  })
})

describe('writeIndexed', () => {
  const records = toRecords([prompt(0, 'a text')])

  it('stores what it is given although the index is damaged, and the index is whole afterwards', () => {
    const at = stored(3)
    fill(at)
    const other = new DatabaseSync(at.database.file)
    other.enableDefensive?.(false)
    other.exec("UPDATE texts_data SET block = x'00ff00ff00ff' WHERE id > 1")
    other.close()
    store(at, header('other'), records)
    fill(at)
    expect(count(at, 'text')).toBe(4)
  })

  it('does without an index that is beyond repair', () => {
    const at = stored(3)
    at.index.clear = () => {
      throw new IndexDamage(new Error('beyond repair'))
    }
    at.database.exec('DROP TABLE texts')
    const { run } = at.database
    at.database.run = (sql, ...parameters) => {
      if (sql.includes('texts')) throw Object.assign(new Error('malformed'), { errcode: 11 })
      return run.call(at.database, sql, ...parameters)
    }
    expect(store(at, header('other'), records).nextSeq).toBe(1)
    expect(
      appendRecords(at, {
        ref: { no: 2, id: header('other').id },
        epoch: 1,
        createdAt: T0,
        expectedSeq: 1,
        blocks: [packRecords(toRecords([prompt(1, 'x')]))],
      }),
    ).toBe(2)
  })

  it('lets every other failure through', () => {
    const at = stored(1)
    const refusal = expect.objectContaining({ code: 'SESSION_ALREADY_EXISTS' })
    expect(() => store(at, header())).toThrow(refusal)
  })
})
