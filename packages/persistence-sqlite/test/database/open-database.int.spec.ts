import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.js'
import { openDatabase } from '../../src/database/open-database.js'
import { temporaryFile } from '../support/temporary.js'

const options = (file: string): DatabaseOptions => ({ file, durability: 'fsync', busyTimeoutMs: 50 })

function edit(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describe('openDatabase', () => {
  it('opens a new database with a write-ahead log, synced at every commit, whose free pages go back to the disk', () => {
    const database = openDatabase(options(temporaryFile()))
    const pragma = (name: string) => Object.values(database.get<object>(`PRAGMA ${name}`)!)[0]
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(2)
    expect(pragma('auto_vacuum')).toBe(2)
    expect(pragma('busy_timeout')).toBe(50)
    database.close()
  })

  it('opens the same database again and again', () => {
    const file = temporaryFile()
    const first = openDatabase(options(file))
    const second = openDatabase(options(file))
    expect(second.identity.name).toBe(first.identity.name)
    first.close()
    second.close()
    openDatabase(options(file)).close()
  })

  it('refuses the schema of a newer release and changes no byte', () => {
    const file = temporaryFile()
    openDatabase(options(file)).close()
    edit(file, 'PRAGMA user_version = 99')
    const before = readFileSync(file)
    expect(() => openDatabase(options(file))).toThrow(expect.objectContaining({ code: 'FORMAT_UNSUPPORTED' }))
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('refuses the database of another application and changes no byte', () => {
    const file = temporaryFile()
    edit(file, 'CREATE TABLE accounts (name); INSERT INTO accounts VALUES (1)')
    const before = readFileSync(file)
    expect(() => openDatabase(options(file))).toThrow(/another application/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it.each(['no database', `SQLite format 3\0${'x'.repeat(5_000)}`])('refuses a file of %j', content => {
    const file = temporaryFile()
    writeFileSync(file, content)
    const refusal = expect.objectContaining({
      code: 'STORAGE_FAILED',
      file,
      details: { indeterminate: false, sqlite: 'SQLITE_NOTADB' },
    })
    expect(() => openDatabase(options(file))).toThrow(refusal)
    expect(readFileSync(file, 'latin1')).toBe(content)
  })

  it('says what is wrong with a path that is a directory', () => {
    const file = temporaryFile()
    mkdirSync(file)
    const refusal = expect.objectContaining({ code: 'STORAGE_FAILED', found: 'a directory', file })
    expect(() => openDatabase(options(file))).toThrow(refusal)
  })

  it('waits for the transaction of another process no longer than it was told', () => {
    const file = temporaryFile()
    const other = new DatabaseSync(file)
    other.exec('BEGIN EXCLUSIVE; CREATE TABLE t (a)')
    const refusal = expect.objectContaining({
      code: 'STORAGE_FAILED',
      details: { indeterminate: false, sqlite: 'SQLITE_BUSY' },
    })
    expect(() => openDatabase(options(file))).toThrow(refusal)
    other.exec('ROLLBACK')
    other.close()
    openDatabase(options(file)).close()
  })

  it('opens a database that another process is writing to', () => {
    const file = temporaryFile()
    const first = openDatabase(options(file))
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const second = openDatabase(options(file))
    expect(Object.values(second.get<object>('PRAGMA busy_timeout')!)).toEqual([50])
    other.exec('ROLLBACK')
    for (const each of [first, second, other]) each.close()
  })

  it('limits the size of the file where it was told to', () => {
    const database = openDatabase({ ...options(temporaryFile()), maxBytes: 200_000 })
    const fill = () => {
      for (;;)
        database.write({ purpose: 'fill' }, () =>
          database.run('INSERT INTO sqlite_sequence VALUES (?, 1)', 'x'.repeat(5_000)),
        )
    }
    expect(fill).toThrow(
      expect.objectContaining({ code: 'STORAGE_FAILED', details: { indeterminate: false, sqlite: 'SQLITE_FULL' } }),
    )
    database.close()
  })
})
