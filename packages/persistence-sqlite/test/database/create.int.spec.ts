import type { StoredRecord } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'
import { createSession } from '../../src/database/create.js'
import { findSession } from '../../src/database/open.js'
import { packRecords } from '../../src/record-block.js'
import { event, header, sampleEvents, T0, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

describe('createSession', () => {
  it('stores a session with the facts that a list is made of', () => {
    const at = openStore()
    const records = toRecords(sampleEvents(30))
    const head = store(at, header('s', { cwd: '/work' }), records)
    expect(head).toMatchObject({ nextSeq: 30, epoch: 1, header: { id: 's', cwd: '/work' } })
    const bytes = records.reduce((sum, { body }) => sum + body.length, 0)
    expect(findSession(at.database, head.id)).toMatchObject({
      no: head.no,
      next_seq: 30,
      last_time: T0 + 29,
      bytes,
      in_turn: 0,
    })
  })

  it('knows of an open turn', () => {
    const at = openStore()
    store(at, header('open'), toRecords([event(0, { turn: 1 }, 'turn/start'), event(1)]))
    store(
      at,
      header('closed'),
      toRecords([event(0, { turn: 1 }, 'turn/start'), event(1, { turn: 1 }, 'turn/end'), event(2)]),
    )
    expect(['open', 'closed'].map(id => findSession(at.database, header(id).id).in_turn)).toEqual([1, 0])
  })

  it('never uses the number of a session again', () => {
    const at = openStore()
    const first = store(at, header('s'))
    at.database.run('DELETE FROM sessions')
    expect(store(at, header('s')).no).toBeGreaterThan(first.no)
  })

  it('leaves nothing behind when its batch fails', () => {
    const at = openStore()
    const [good] = toRecords([event(0)])
    const bad = { ...good!, time: 0.5 } as StoredRecord
    const create = (record: StoredRecord) => createSession(at, { header: header('s'), blocks: [packRecords([record])] })
    expect(() => create(bad)).toThrow(expect.objectContaining({ code: 'STORAGE_FAILED', session: 's' }))
    expect(at.database.get('SELECT count(*) AS count FROM sessions, records')).toEqual({ count: 0 })
    create(good!)
    expect(() => create(good!)).toThrow(expect.objectContaining({ code: 'SESSION_ALREADY_EXISTS', session: 's' }))
  })
})
