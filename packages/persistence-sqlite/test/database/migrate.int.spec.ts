import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { applicationIds, migrate, refuseForeign } from '../../src/database/migrate.js'
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
    migrate(database, '/db', migrations, 'sessions')
    expect(version(database)).toEqual({ user_version: migrations.length })
    expect(database.prepare('PRAGMA application_id').get()).toEqual({ application_id: applicationIds.sessions })
    expect(database.prepare('SELECT count(*) AS count FROM sessions, records').get()).toEqual({ count: 0 })
  })

  it('takes an older schema on from where it is, and keeps what is stored', () => {
    const database = open()
    migrate(database, '/db', steps.slice(0, 1), 'sessions')
    database.exec('INSERT INTO one VALUES (7)')
    migrate(database, '/db', steps, 'sessions')
    expect(database.prepare('SELECT a FROM two').all()).toEqual([{ a: 7 }])
    migrate(database, '/db', steps, 'sessions')
    expect(database.prepare('SELECT a FROM two').all()).toEqual([{ a: 7 }])
  })

  it('leaves a database as it was when a step fails', () => {
    const database = open()
    migrate(database, '/db', steps.slice(0, 1), 'sessions')
    expect(() => migrate(database, '/db', [...steps, 'INSERT INTO three VALUES (1)'], 'sessions')).toThrow('three')
    expect(version(database)).toEqual({ user_version: 1 })
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'one' }])
    expect(database.isTransaction).toBe(false)
  })

  it('does nothing twice when two processes begin at once', () => {
    const file = temporaryFile()
    const [first, second] = [open(file), open(file)]
    const lateVersion = version(second)
    migrate(first, '/db', steps, 'sessions')
    expect(lateVersion).toEqual({ user_version: 0 })
    migrate(second, '/db', steps, 'sessions')
    expect(version(second)).toEqual({ user_version: 2 })
  })
})

describe('refuseForeign', () => {
  it('refuses a newer schema, naming both versions', () => {
    const database = open()
    migrate(database, '/db', steps, 'sessions')
    const refusal = expect.objectContaining({ code: 'FORMAT_UNSUPPORTED', file: '/db', details: { version: 2 } })
    expect(() => refuseForeign(database, '/db', 1, 'sessions')).toThrow(refusal)
    expect(() => refuseForeign(database, '/db', 1, 'sessions')).toThrow('up to version 1, found the newer version 2')
    refuseForeign(database, '/db', 2, 'sessions')
  })

  it.each(['CREATE TABLE sessions (a)', 'PRAGMA application_id = 5'])('refuses the database of %s', sql => {
    const database = open()
    database.exec(sql)
    expect(() => refuseForeign(database, '/db', 1, 'sessions')).toThrow(
      expect.objectContaining({ code: 'STORAGE_FAILED' }),
    )
  })

  it('takes an empty file', () => {
    refuseForeign(open(), '/db', 1, 'sessions')
  })

  it('does not take an index of sessions for sessions, nor the other way round', () => {
    const [sessions, index] = [open(), open()]
    migrate(sessions, '/db', steps, 'sessions')
    migrate(index, '/db', steps, 'index')
    expect(() => refuseForeign(index, '/db', 2, 'sessions')).toThrow('another purpose')
    expect(() => refuseForeign(sessions, '/db', 2, 'index')).toThrow('another purpose')
    refuseForeign(index, '/db', 2, 'index')
  })
})
