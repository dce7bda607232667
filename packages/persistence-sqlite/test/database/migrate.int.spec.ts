import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { APPLICATION_ID, migrate, refuseForeign } from '../../src/database/migrate.js'
import { migrations } from '../../src/database/migrations/index.js'
import { temporaryFile } from '../support/temporary.js'

function open(file = temporaryFile()): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 })
  onTestFinished(() => database.close())
  return database
}

const version = (database: DatabaseSync) => database.prepare('PRAGMA user_version').get()
const steps = ['CREATE TABLE one (a)', 'CREATE TABLE two (a); INSERT INTO two SELECT a FROM one']

describe('migrate', () => {
  it('takes an empty file to the newest schema', () => {
    const database = open()
    migrate(database, '/db', migrations)
    expect(version(database)).toEqual({ user_version: migrations.length })
    expect(database.prepare('PRAGMA application_id').get()).toEqual({ application_id: APPLICATION_ID })
    expect(database.prepare('SELECT count(*) AS count FROM sessions, records').get()).toEqual({ count: 0 })
  })

  it('takes an older schema on from where it is, and keeps what is stored', () => {
    const database = open()
    migrate(database, '/db', steps.slice(0, 1))
    database.exec('INSERT INTO one VALUES (7)')
    migrate(database, '/db', steps)
    expect(database.prepare('SELECT a FROM two').all()).toEqual([{ a: 7 }])
    migrate(database, '/db', steps)
    expect(database.prepare('SELECT a FROM two').all()).toEqual([{ a: 7 }])
  })

  it('leaves a database as it was when a step fails', () => {
    const database = open()
    migrate(database, '/db', steps.slice(0, 1))
    expect(() => migrate(database, '/db', [...steps, 'INSERT INTO three VALUES (1)'])).toThrow('three')
    expect(version(database)).toEqual({ user_version: 1 })
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'one' }])
    expect(database.isTransaction).toBe(false)
  })

  it('does nothing twice when two processes begin at once', () => {
    const file = temporaryFile()
    const [first, second] = [open(file), open(file)]
    const lateVersion = version(second)
    migrate(first, '/db', steps)
    expect(lateVersion).toEqual({ user_version: 0 })
    migrate(second, '/db', steps)
    expect(version(second)).toEqual({ user_version: 2 })
  })
})

describe('refuseForeign', () => {
  it('refuses a newer schema, naming both versions', () => {
    const database = open()
    migrate(database, '/db', steps)
    const refusal = expect.objectContaining({ code: 'FORMAT_UNSUPPORTED', file: '/db', details: { version: 2 } })
    expect(() => refuseForeign(database, '/db', 1)).toThrow(refusal)
    expect(() => refuseForeign(database, '/db', 1)).toThrow('up to version 1, found the newer version 2')
    refuseForeign(database, '/db', 2)
  })

  it.each(['CREATE TABLE sessions (a)', 'PRAGMA application_id = 5'])('refuses the database of %s', sql => {
    const database = open()
    database.exec(sql)
    expect(() => refuseForeign(database, '/db', 1)).toThrow(expect.objectContaining({ code: 'STORAGE_FAILED' }))
  })

  it('takes an empty file', () => {
    refuseForeign(open(), '/db', 1)
  })
})
