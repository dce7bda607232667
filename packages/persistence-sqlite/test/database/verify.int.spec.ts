import { describe, expect, it } from 'vitest'
import { verifyRecords } from '../../src/database/verify.js'
import { header, sampleEvents, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

function stored(length = 2_000) {
  const at = openStore()
  const ref = store(at, header(), toRecords(sampleEvents(length), false))
  return { at, verify: (end = length) => verifyRecords(at.database, ref, end) }
}

describe('verifyRecords', () => {
  it('takes a log that is whole', () => {
    stored().verify()
    stored(0).verify()
    stored(512).verify()
  })

  it.each([
    ['rotten', 'UPDATE records SET time = 0 WHERE seq = 1111', 1111],
    ['lost', 'DELETE FROM records WHERE seq = 1111', 1111],
    ['lost at the end', 'DELETE FROM records WHERE seq = 1999', 1999],
    ['lost at the start', 'DELETE FROM records WHERE seq = 0', 0],
  ])('tells of a record that is %s', (_, sql, seq) => {
    const { at, verify } = stored()
    at.database.exec(sql)
    expect(verify).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', session: 's', seq }))
  })

  it('tells of a record beyond the end', () => {
    const { verify } = stored()
    expect(() => verify(1_990)).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT' }))
  })
})
