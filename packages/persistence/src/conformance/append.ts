import { describe, expect, it } from 'vitest'
import { event, header, nextSeq, sampleRecords, userMessage } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { expectRecords, rejection, stored } from './setup.js'

export function appendConformance({ storage }: ConformanceTarget): void {
  describe('append', () => {
    it('makes each batch visible to others before it resolves', async () => {
      const { connect } = await storage()
      const [writer, reader] = [await connect(), await connect()]
      const all = sampleRecords(8)
      const handle = await writer.create(header('s'), all.slice(0, 1))
      for (const [start, end] of [
        [1, 2],
        [2, 9],
        [9, 32],
      ] as const) {
        await handle.append(all[start]!.seq, all.slice(start, end))
        expect(handle.nextSeq).toBe(nextSeq(all.slice(0, end)))
        expectRecords(await stored(reader, handle.header.id), all.slice(0, end))
      }
    })

    it('keeps every body byte for byte', async () => {
      const { connect } = await storage()
      const texts = [
        '\u0000',
        '\u2028\u2029',
        '\ud800',
        '\udfff x',
        '"\\\n\r\t',
        '漢字 🙂',
        '__proto__',
        'x'.repeat(1_000_000),
      ]
      const records = texts.map((text, seq) => userMessage(seq, text))
      records.push(event(texts.length, 'plugin/unknown', { '': [], a: {}, deep: [[[[0.1, -1e300, null]]]] }))
      const driver = await connect()
      await (await driver.create(header('s'), records)).close()
      expectRecords(await stored(await connect(), header('s').id), records)
    })

    it('keeps times that stand still, jump and step back', async () => {
      const { connect } = await storage()
      const times = [5, 5, 9_000_000_000_000, 0, -1]
      const records = times.map((time, seq) => event(seq, 'x/y', {}, time))
      const driver = await connect()
      await (await driver.create(header('s', { createdAt: -9 }), records)).close()
      expectRecords(await stored(driver, header('s').id), records)
      expect((await driver.list({})).entries[0]!.lastTime).toBe(-1)
    })

    it.each([
      ['an earlier', 1],
      ['a later', 1_000],
    ])('refuses %s position, says where the log ends, and goes on', async (_, expectedSeq) => {
      const { connect } = await storage()
      const driver = await connect()
      const records = sampleRecords(2)
      const handle = await driver.create(header('s'), records)
      const currentSeq = nextSeq(records)
      const error = await rejection(handle.append(expectedSeq, [event(expectedSeq, 'x/y', {})]), 'SEQ_CONFLICT')
      expect((error as { details?: unknown }).details).toMatchObject({ expectedSeq, currentSeq })
      expectRecords(await stored(driver, handle.header.id), records)

      const next = event(currentSeq, 'x/y', {})
      await handle.append(currentSeq, [next])
      expectRecords(await stored(driver, handle.header.id), [...records, next])
    })

    it('keeps sessions apart that are written at the same time', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const ids = ['a', 'b', 'c', 'd', 'e']
      const records = sampleRecords(6)
      await Promise.all(
        ids.map(async id => {
          const handle = await driver.create(header(id), [])
          for (const record of records) await handle.append(record.seq, [record])
        }),
      )
      for (const id of ids) expectRecords(await stored(driver, header(id).id), records)
    })

    it('refuses to write through a closed handle', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const handle = await driver.create(header('s'), [])
      await handle.close()
      const successor = await driver.open(handle.header.id, 'write')
      await expect(handle.append(0, [event(0, 'x/y', {})])).rejects.toThrow()
      expect(successor.nextSeq).toBe(0)
      expectRecords(await stored(driver, handle.header.id), [])
    })
  })
}
