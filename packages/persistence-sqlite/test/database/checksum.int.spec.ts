import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { RECORD_HEAD, recordChecksum, recordHead, sessionChecksum } from '../../src/database/checksum.js'

describe('recordHead', () => {
  it('is what the expression gives', () => {
    const columns = {
      seq: 9_007_199_254_740_991,
      count: 1,
      time: -5,
      surface: 1,
      surfaces: 7,
      version: 1,
      type: 'a b/\\u0000"漢',
    }
    const database = new DatabaseSync(':memory:')
    const names = Object.keys(columns)
    const sql = `SELECT ${RECORD_HEAD} AS head FROM (SELECT ${names.map(name => `? AS ${name}`).join(', ')})`
    const bound = [...Object.values(columns)].map(value => (typeof value === 'number' ? BigInt(value) : value))
    const { head } = database.prepare(sql).get(...bound) as { head: string }
    database.close()
    expect(head).toBe(recordHead(columns))
  })
})

describe('recordChecksum', () => {
  const facts = { seq: 1, count: 2, time: 3, surface: 0, surfaces: 4, version: 1, type: 'a/b' }
  const head = recordHead(facts)
  const body = Buffer.from('{"type":"a/b"}')
  const crc = recordChecksum(head, body)

  it('changes with every bit of the body and every column', () => {
    for (let bit = 0; bit < body.length * 8; bit++) {
      const rotten = Buffer.from(body)
      rotten[bit >> 3]! ^= 1 << (bit & 7)
      expect(recordChecksum(head, rotten)).not.toBe(crc)
    }
    for (const [name, value] of Object.entries(facts)) {
      const other = recordHead({ ...facts, [name]: typeof value === 'number' ? value + 5 : 'a/c' })
      expect(recordChecksum(other, body)).not.toBe(crc)
    }
  })
})

describe('sessionChecksum', () => {
  it('changes with every column', () => {
    const numbers = { next_seq: 1, last_time: 2, bytes: 3, surfaces: 5, in_turn: 0, trashed: 0, epoch: 4 }
    const facts = { key: Buffer.from('k'), header: '{}', ...numbers }
    const crc = sessionChecksum(facts)
    for (const [name, value] of Object.entries(facts)) {
      const other = typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value} ` : Buffer.from('l')
      expect(sessionChecksum({ ...facts, [name]: other })).not.toBe(crc)
    }
  })
})
