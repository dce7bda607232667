import { describe, expect, it } from 'vitest'
import { insertRecords } from '../../src/database/insert-records.js'
import { packRecords } from '../../src/record-block.js'
import { answer, event, header, prompt, sampleEvents, T0, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

const none = { next_seq: 0, last_time: 0, bytes: 0, surfaces: 0, in_turn: 0, createdAt: 0 }

describe('insertRecords', () => {
  it('stores bodies as text that others can read', () => {
    const at = openStore()
    const { no } = store(at, header(), toRecords([event(0, { text: '漢字 \u0000 \ud800' })]))
    const rows = at.database.all(
      "SELECT body ->> '$.type' AS type, typeof(body) AS kind FROM records WHERE session = ?",
      no,
    )
    expect(rows).toEqual([{ type: 'test/event', kind: 'text' }])
  })

  it('keeps bytes that are no text', () => {
    const at = openStore()
    const { no } = store(at, header())
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte).filter(byte => byte !== 10)
    const [record] = toRecords([event(0)])
    insertRecords(at.database, at.index, no, [packRecords([{ ...record!, body }])], none)
    const row = at.database.get<{ body: Uint8Array }>('SELECT CAST(body AS BLOB) AS body FROM records')!
    expect([...row.body]).toEqual([...body])
  })

  it('indexes the texts of messages and nothing else', () => {
    const at = openStore()
    store(at, header(), toRecords([event(0, 'needle'), prompt(1, 'needle'), answer(2, 'needle'), prompt(3, '')]))
    const found = at.database.all(
      'SELECT seq FROM texts JOIN records ON records.id = texts.rowid WHERE texts MATCH \'"needle"\'',
    )
    expect(found).toEqual([{ seq: 1 }, { seq: 2 }])
    expect(at.database.get('SELECT count(*) AS count FROM texts')).toEqual({ count: 2 })
  })

  it('sums up what the batch changes', () => {
    const at = openStore()
    const { no } = store(at, header())
    const records = toRecords(sampleEvents(20))
    const blocks = [packRecords(records.slice(0, 3)), packRecords(records.slice(3))]
    const bytes = records.reduce((sum, { body }) => sum + body.length, 5)
    const facts = insertRecords(at.database, at.index, no, blocks, { ...none, bytes: 5, in_turn: 1 })
    expect(facts).toEqual({ next_seq: 20, last_time: records.at(-1)!.time, bytes, surfaces: 2, in_turn: 1 })
    expect(insertRecords(at.database, at.index, no, [], { ...facts, createdAt: 0 })).toEqual(facts)
  })
  it.each([
    ['a session that was created after its last event', T0 + 9, T0 + 9],
    ['one whose last event came later', T0 + 1, T0 + 2],
  ])('knows when %s was active', (_, createdAt, last_time) => {
    const at = openStore()
    const { no } = store(at, header())
    const blocks = [packRecords(toRecords([event(0), event(1), event(2)]))]
    expect(insertRecords(at.database, at.index, no, blocks, { ...none, createdAt })).toMatchObject({ last_time })
  })
})
