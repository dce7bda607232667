import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/database/store.js'
import { IndexDamage } from '../../src/search/text-index.js'
import { openStore } from '../support/store.js'

const task = { purpose: 'test the index' }

function open() {
  const at = openStore()
  at.database.write(task, () => {
    at.index.next = undefined
  })
  return at
}

const found = ({ database }: Store, query: string) =>
  database
    .all<{ rowid: number }>('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid', query)
    .map(({ rowid }) => rowid)

/** Breaks the tables of the index, as a bad sector does. */
function breakIndex({ database }: Store): void {
  const other = new DatabaseSync(database.file)
  other.enableDefensive?.(false)
  other.exec("UPDATE texts_data SET block = x'00ff00ff00ff' WHERE id > 1; DELETE FROM texts_idx")
  other.close()
}

describe('TextIndex', () => {
  it('finds texts by their terms, as often as they are added', () => {
    const at = open()
    const text = { id: 7, text: 'École 漢字検索' }
    at.database.write(task, () => at.index.add([text]))
    at.database.write(task, () => at.index.add([text, { id: 3, text: 'ecole' }]))
    expect(found(at, '"ecole"')).toEqual([3, 7])
    expect(found(at, '"字検 検索"')).toEqual([7])
  })

  it('keeps no text', () => {
    const at = open()
    at.database.write(task, () => at.index.add([{ id: 7, text: 'secret' }]))
    expect(at.database.all('SELECT * FROM texts')).toEqual([{ terms: null }])
  })

  it('forgets texts, those that it never had, too', () => {
    const at = open()
    at.database.write(task, () =>
      at.index.add([
        { id: 1, text: 'a' },
        { id: 2, text: 'a' },
      ]),
    )
    at.database.write(task, () => at.index.remove([1, 99]))
    expect(found(at, '"a"')).toEqual([2])
  })

  it('begins as an index that lacks everything', () => {
    const at = openStore()
    expect(at.index.next).toBe(0)
    at.database.write(task, () => {
      at.index.next = undefined
    })
    expect(at.index.next).toBeUndefined()
    at.database.write(task, () => at.index.clear())
    expect(at.index.next).toBe(0)
  })

  it('is begun anew for terms of another kind, and not otherwise', () => {
    const at = open()
    at.database.write(task, () => at.index.prepare())
    expect(at.index.next).toBeUndefined()
    at.database.run('UPDATE text_index SET version = 99')
    expect(at.index.next).toBe(0)
    at.database.write(task, () => at.index.add([{ id: 5, text: 'a' }]))
    expect(at.database.get('SELECT next FROM text_index')).toEqual({ next: 5 })
    expect(found(at, '"a"')).toEqual([])
    at.database.write(task, () => at.index.prepare())
    expect(at.database.get('SELECT version, next FROM text_index')).toEqual({ version: 1, next: 0 })
  })

  it.each<[string, (at: Store) => void]>([
    ['added', at => at.index.add(Array.from({ length: 50 }, (_, id) => ({ id, text: `a ${id}` })))],
    ['removed', at => at.index.remove([1])],
  ])('says that it is damaged when texts are %s, and can be begun anew', (_, change) => {
    const at = open()
    at.database.write(task, () => at.index.add([{ id: 1, text: 'a b c' }]))
    breakIndex(at)
    const refusal = expect.objectContaining({ code: 'STORAGE_FAILED', cause: expect.any(IndexDamage) })
    expect(() => at.database.write(task, () => change(at))).toThrow(refusal)
    at.database.write(task, () => at.index.clear())
    at.database.write(task, () => at.index.add([{ id: 2, text: 'a' }]))
    expect(found(at, '"a"')).toEqual([2])
  })

  it('does nothing once it was given up', () => {
    const at = open()
    breakIndex(at)
    at.index.giveUp()
    at.database.write(task, () => {
      at.index.add([{ id: 1, text: 'a' }])
      at.index.remove([1])
    })
  })
})
