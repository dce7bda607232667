import { describe, expect, it } from 'vitest'
import type { ReadRange, StoredRecord } from '../driver.js'
import { collect, event, header, nextSeq, sampleRecords } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { expectRecords } from './setup.js'

/** What a read has to give, in the plainest words. */
function expected(records: readonly StoredRecord[], { from = 0, to = Infinity, reverse, filter }: ReadRange) {
  const inRange = records.filter(record => record.seq + record.count > from && record.seq < to)
  const wanted = inRange.filter(record => filter === undefined || record.surface)
  return reverse ? wanted.reverse() : wanted
}

export function readConformance({ storage }: ConformanceTarget): void {
  describe('read', () => {
    it('gives exactly the records that overlap a range, straddling ones whole, in either direction', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const records = sampleRecords(6)
      const end = nextSeq(records)
      const writer = await driver.create(header('s'), records.slice(0, 5))
      for (let at = 5; at < records.length; at += 4) await writer.append(records[at]!.seq, records.slice(at, at + 4))
      const reader = await (await connect()).open(writer.header.id, 'read')
      const edges = [undefined, 0, 1, 2, 3, 14, 15, 16, 17, 31, 32, end - 1, end, end + 10]
      for (const from of edges) {
        for (const to of edges) {
          for (const reverse of [false, true]) {
            for (const filter of [undefined, 'surface'] as const) {
              const range = {
                ...(from !== undefined && { from }),
                ...(to !== undefined && { to }),
                ...(filter && { filter }),
                reverse,
              }
              const found = await collect(reader.read(range))
              expectRecords(found, expected(records, range), JSON.stringify(range))
            }
          }
        }
      }
    })

    it('ends at the log as it was when the read began', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const records = sampleRecords(200)
      const handle = await driver.create(header('s'), records)
      const found: StoredRecord[] = []
      for await (const batch of handle.read({})) {
        if (found.length === 0) await handle.append(nextSeq(records), [event(nextSeq(records), 'x/y', {})])
        found.push(...batch)
      }
      expectRecords(found, records)
      expectRecords(await collect(handle.read({ from: nextSeq(records) })), [event(nextSeq(records), 'x/y', {})])
    })

    it('shows a reader what was stored since', async () => {
      const { connect } = await storage()
      const writer = await (await connect()).create(header('s'), sampleRecords(1))
      const reader = await (await connect()).open(writer.header.id, 'read')
      const start = writer.nextSeq
      expectRecords(await collect(reader.read({ from: start })), [])
      const more = [event(start, 'x/y', {}), event(start + 1, 'x/y', {})]
      await writer.append(start, more.slice(0, 1))
      expectRecords(await collect(reader.read({ from: start })), more.slice(0, 1))
      await writer.append(start + 1, more.slice(1))
      expectRecords(await collect(reader.read({ from: start })), more)
    })

    it('stops with the reason of its signal', async () => {
      const { connect } = await storage()
      const handle = await (await connect()).create(header('s'), sampleRecords(500))
      await expect(collect(handle.read({}, AbortSignal.abort(new Error('enough'))))).rejects.toThrow('enough')
      const controller = new AbortController()
      const reading = (async () => {
        for await (const _ of handle.read({}, controller.signal)) controller.abort(new Error('seen it'))
        return 'ended'
      })()
      // One batch may have held everything.
      expect(await reading.catch((error: Error) => error.message)).toMatch(/seen it|ended/)
    })

    it('can be left early and begun again', async () => {
      const { connect } = await storage()
      const records = sampleRecords(300)
      const handle = await (await connect()).create(header('s'), records)
      for await (const _ of handle.read({})) break
      expectRecords(await collect(handle.read({})), records)
      await handle.append(nextSeq(records), [event(nextSeq(records), 'x/y', {})])
      expect(handle.nextSeq).toBe(nextSeq(records) + 1)
    })
  })
}
