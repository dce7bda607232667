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
    removeSession(at, { id })
    expect(at.database.all('SELECT session FROM records')).toEqual([{ session: kept.no }])
    expect(at.database.all("SELECT rowid FROM texts WHERE texts MATCH 'needle'")).toHaveLength(1)
    expect(() => removeSession(at, { id })).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }))
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
    removeSession(at, { id })
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
    removeSession(at, { id })
    restoreSession(at, { id })
    expect(listSessions(at, {}).entries).toMatchObject([{ header: { cwd: '/one' }, state: 'ok' }])
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
      expect(() => change(at, { id })).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }))
    }
  })
})
