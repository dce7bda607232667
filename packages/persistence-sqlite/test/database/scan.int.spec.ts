import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanRecords } from '../../src/database/scan.js'
import { unpackRecords } from '../../src/record-block.js'
import { event, header, plain, sampleEvents, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

const everything = { from: 0, to: Number.MAX_SAFE_INTEGER, reverse: false, surface: false, rows: 1_000 }

describe('scanRecords', () => {
  it('gives what a filter of all records gives', () => {
    const at = openStore()
    const records = toRecords(sampleEvents(100))
    const ref = store(at, header(), records)
    store(at, header('other'), toRecords(sampleEvents(50)))
    const edge = fc.integer({ min: 0, max: 110 })
    fc.assert(
      fc.property(
        edge,
        edge,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 80 }),
        (from, to, reverse, surface, rows) => {
          const inRange = records.filter(each => each.seq >= from && each.seq < to && (!surface || each.surface))
          const expected = (reverse ? inRange.toReversed() : inRange).slice(0, rows)
          const { block, spans } = scanRecords(at.database, ref, { from, to, reverse, surface, rows })
          expect(unpackRecords(block).map(plain)).toEqual(expected.map(plain))
          expect(spans).toEqual(
            expected.map(({ seq, count }) => ({ seq, end: seq + count, surfaces: Math.floor(seq / 10) + 1 })),
          )
        },
      ),
    )
  })

  it('keeps types of any spelling apart', () => {
    const at = openStore()
    const types = ['a/b', 'a/b c', 'a /b', 'a/\n', 'a/\\n', 'a/"', 'a/\ud800', 'a/\ufffd', 'a/1 2 3', '/漢/字']
    const [model] = toRecords([event(0)])
    const records = types.map((type, seq) => ({ ...model!, seq, type }))
    const ref = store(at, header(), records)
    expect(unpackRecords(scanRecords(at.database, ref, everything).block).map(({ type }) => type)).toEqual(types)
  })

  it.each([
    "body = replace(body, 'test/event', 'test/evenT')",
    "body = body || ' '",
    "type = 'test/evens'",
    'time = time + 1',
    'count = 2',
    'surface = 1',
    'surfaces = 1',
    'version = 2',
    'crc = crc + 1',
    "type = 'a' || char(10) || 'b'",
  ])('refuses a record in which %s, and says which', change => {
    const at = openStore()
    const ref = store(at, header(), toRecords([event(0), event(1), event(2)]))
    at.database.run(`UPDATE records SET ${change} WHERE seq = 1`)
    const refusal = expect.objectContaining({ code: 'SESSION_CORRUPT', session: 's', seq: 1, file: at.database.file })
    expect(() => scanRecords(at.database, ref, everything)).toThrow(refusal)
  })

  it('uses an index for every kind of range', () => {
    const at = openStore()
    for (const surface of ['', 'AND surface = 1']) {
      const sql = `EXPLAIN QUERY PLAN SELECT * FROM records WHERE session = 1 AND seq >= 5 AND seq < 9 ${surface} ORDER BY seq DESC LIMIT 5`
      const plan = at.database.all<{ detail: string }>(sql).map(({ detail }) => detail)
      const index = surface === '' ? 'records_by_seq' : 'records_on_surface'
      expect(plan).toEqual([`SEARCH records USING INDEX ${index} (session=? AND seq>? AND seq<?)`])
    }
  })
})
