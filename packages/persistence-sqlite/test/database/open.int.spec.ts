import { describe, expect, it } from 'vitest'
import { appendRecords } from '../../src/database/append.js'
import { openToRead, openToWrite } from '../../src/database/open.js'
import { packRecords } from '../../src/record-block.js'
import { event, header, sampleEvents, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

const { id } = header()

describe('openToWrite', () => {
  it('takes the session over from whoever had it', () => {
    const at = openStore()
    const first = store(at, header(), toRecords(sampleEvents(10)))
    const second = openToWrite(at, { id })
    expect(second).toMatchObject({ no: first.no, nextSeq: 10, epoch: first.epoch + 1 })
    expect(openToWrite(at, { id }).epoch).toBe(second.epoch + 1)
    const blocks = [packRecords(toRecords([event(10)]))]
    const { createdAt } = first.header
    const append = (epoch: number) => appendRecords(at, { ref: first, epoch, createdAt, expectedSeq: 10, blocks })
    expect(() => append(first.epoch)).toThrow(expect.objectContaining({ code: 'OWNERSHIP_LOST' }))
    expect(append(second.epoch + 1)).toBe(11)
  })

  it('verifies the whole log first, and takes nothing over that is damaged', () => {
    const at = openStore()
    const { no, epoch } = store(at, header(), toRecords(sampleEvents(1_000)))
    at.database.run("UPDATE records SET body = body || ' ' WHERE session = ? AND seq = 500", no)
    expect(() => openToWrite(at, { id })).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', seq: 500 }))
    expect(openToRead(at, { id }).epoch).toBe(epoch)
  })
})

describe('openToRead', () => {
  it('finds the session and changes nothing', () => {
    const at = openStore()
    const { no } = store(at, header('s', { cwd: '/w' }), toRecords(sampleEvents(3)))
    for (let time = 0; time < 2; time++) {
      expect(openToRead(at, { id })).toEqual({ no, header: header('s', { cwd: '/w' }), nextSeq: 3, epoch: 1 })
    }
  })

  it('says that an id is not stored', () => {
    const at = openStore()
    for (const open of [openToRead, openToWrite]) {
      expect(() => open(at, { id })).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND', session: 's' }))
    }
  })
})
