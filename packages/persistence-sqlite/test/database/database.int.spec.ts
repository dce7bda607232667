import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../support/store.js'

const task = { purpose: 'do it', session: 's' }

function open() {
  const { database } = openStore()
  database.exec('CREATE TABLE t (a INTEGER NOT NULL) STRICT')
  const values = () => database.all<{ a: number }>('SELECT a FROM t').map(({ a }) => a)
  return { database, values }
}

describe('Database', () => {
  it('keeps what a write did, and answers with what it gave', () => {
    const { database, values } = open()
    expect(database.write(task, () => database.run('INSERT INTO t VALUES (?)', 5))).toEqual({ id: 1, changes: 1 })
    expect(values()).toEqual([5])
  })

  it('undoes a write that fails half-way, and lets others write at once', () => {
    const { database, values } = open()
    const other = new DatabaseSync(database.file, { timeout: 0 })
    onTestFinished(() => other.close())
    const fail = () =>
      database.write(task, () => {
        database.run('INSERT INTO t VALUES (?)', 1)
        database.run('INSERT INTO t VALUES (?)', 'not a number')
      })
    expect(fail).toThrow(expect.objectContaining({ code: 'STORAGE_FAILED', expected: 'to do it', session: 's' }))
    other.exec('INSERT INTO t VALUES (2)')
    expect(values()).toEqual([2])
  })

  it('shows a read one state, whatever others commit meanwhile', () => {
    const { database, values } = open()
    const other = new DatabaseSync(database.file)
    onTestFinished(() => other.close())
    database.read(task, () => {
      expect(values()).toEqual([])
      other.exec('INSERT INTO t VALUES (3)')
      expect(values()).toEqual([])
    })
    expect(values()).toEqual([3])
  })

  it('says that another process is in the way', () => {
    const { database, values } = open()
    const other = new DatabaseSync(database.file)
    onTestFinished(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    const write = () => database.write(task, () => database.run('INSERT INTO t VALUES (?)', 1))
    expect(write).toThrow(
      expect.objectContaining({ code: 'STORAGE_FAILED', details: { indeterminate: false, sqlite: 'SQLITE_BUSY' } }),
    )
    other.exec('COMMIT')
    write()
    expect(values()).toEqual([1])
  })

  it('writes no more when its file is gone', () => {
    const { database } = open()
    rmSync(database.file)
    expect(() => database.write(task, () => {})).toThrow(
      expect.objectContaining({ code: 'OWNERSHIP_LOST', session: 's' }),
    )
  })
})
