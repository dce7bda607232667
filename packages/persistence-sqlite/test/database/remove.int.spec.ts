import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listSessions } from '../../src/database/list.js'
import { removeSession, requireStored, restoreSession, trashSession } from '../../src/database/remove.js'
import { header, prompt, sampleEvents, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

const { id } = header()

describe('removeSession', () => {
  it('removes the session with its records and its texts, and nothing of others', () => {
    const at = openStore()
    const needles = toRecords([prompt(0, 'needle')])
    store(at, header('s'), needles)
    const kept = store(at, header('kept'), needles)
    removeSession(at, { id, trashed: false })
    expect(at.database.all('SELECT session FROM records')).toEqual([{ session: kept.no }])
    expect(at.database.all("SELECT rowid FROM texts WHERE texts MATCH 'needle'")).toHaveLength(1)
    expect(() => removeSession(at, { id, trashed: false })).toThrow(
      expect.objectContaining({ code: 'SESSION_NOT_FOUND' }),
    )
  })

  it('removes everything that the trash has of an id at once, and nothing else', () => {
    const at = openStore()
    const needles = toRecords([prompt(0, 'needle')])
    const kept: number[] = []
    for (const each of ['s', 's', 's', 'kept']) {
      const { no } = store(at, header(each), needles)
      trashSession(at, { id: header(each).id })
      if (each === 'kept') kept.push(no)
    }
    kept.push(store(at, header('s'), needles).no)
    removeSession(at, { id, trashed: true })
    expect(at.database.all('SELECT no FROM sessions ORDER BY no')).toEqual(kept.map(no => ({ no })))
    expect(at.database.all('SELECT session FROM records ORDER BY session')).toEqual(kept.map(session => ({ session })))
    expect(at.database.all("SELECT rowid FROM texts WHERE texts MATCH 'needle'")).toHaveLength(kept.length)
    expect(() => removeSession(at, { id, trashed: true })).toThrow(
      expect.objectContaining({ code: 'SESSION_NOT_FOUND', session: 's' }),
    )
  })

  it('removes none of several in the trash where one cannot be removed', () => {
    const at = openStore()
    for (const cwd of ['/one', '/two']) {
      store(at, header('s', { cwd }), toRecords([prompt(0, 'needle')]))
      trashSession(at, { id })
    }
    at.database.exec(
      "CREATE TRIGGER refuse BEFORE DELETE ON sessions WHEN old.trashed = 2 BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    expect(() => removeSession(at, { id, trashed: true })).toThrow(expect.objectContaining({ code: 'STORAGE_FAILED' }))
    at.database.exec('DROP TRIGGER refuse')
    expect(at.database.all('SELECT trashed FROM sessions ORDER BY trashed')).toEqual([{ trashed: 1 }, { trashed: 2 }])
    expect(at.database.all("SELECT rowid FROM texts WHERE texts MATCH 'needle'")).toHaveLength(2)
  })

  it('gives the space back to the disk', () => {
    const at = openStore()
    const { database } = at
    const size = () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return statSync(database.file).size
    }
    store(at, header('kept'), toRecords(sampleEvents(100)))
    const before = size()
    store(at, header('s'), toRecords(sampleEvents(50_000)))
    const full = size()
    removeSession(at, { id, trashed: false })
    expect(full).toBeGreaterThan(before * 10)
    expect(size()).toBeLessThan(before * 2)
  })
})

describe('trashSession', () => {
  it('keeps every session that had an id, and gives back the last one', () => {
    const at = openStore()
    for (const cwd of ['/one', '/two']) {
      store(at, header('s', { cwd }))
      trashSession(at, { id })
    }
    expect(listSessions(at, {}).entries).toEqual([])
    expect(listSessions(at, { trashed: true }).entries).toHaveLength(2)
    restoreSession(at, { id })
    expect(listSessions(at, {}).entries).toMatchObject([{ header: { cwd: '/two' } }])
    expect(() => restoreSession(at, { id })).toThrow(expect.objectContaining({ code: 'SESSION_ALREADY_EXISTS' }))
    removeSession(at, { id, trashed: false })
    restoreSession(at, { id })
    expect(listSessions(at, {}).entries).toMatchObject([{ header: { cwd: '/one' }, state: 'ok' }])
  })

  it('hides no damage', () => {
    const at = openStore()
    store(at, header('s'), toRecords(sampleEvents(3)))
    at.database.run('UPDATE sessions SET next_seq = 2')
    const state = () => listSessions(at, {}).entries.map(entry => entry.state)
    expect(state()).toEqual(['corrupt'])
    trashSession(at, { id })
    restoreSession(at, { id })
    expect(state()).toEqual(['corrupt'])
  })

  it('tells what is stored from what is in the trash', () => {
    const at = openStore()
    const isStored = (trashed: boolean) => {
      try {
        requireStored(at, { id, trashed })
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'SESSION_NOT_FOUND', session: 's' })
        return false
      }
    }
    expect([isStored(false), isStored(true)]).toEqual([false, false])
    store(at, header())
    expect([isStored(false), isStored(true)]).toEqual([true, false])
    trashSession(at, { id })
    expect([isStored(false), isStored(true)]).toEqual([false, true])
    for (const change of [trashSession, removeSession]) {
      expect(() => change(at, { id, trashed: false })).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }))
    }
  })
})
