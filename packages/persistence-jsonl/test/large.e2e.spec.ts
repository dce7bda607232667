import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { collect, event, header, toRecords } from './support/records.js'

const MEGABYTE = 1024 * 1024

let root: string
let driver: JsonlDriver

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'large-'))
  driver = new JsonlDriver({ root, durability: 'none' })
})

afterEach(async () => {
  await driver.close()
  rmSync(root, { recursive: true })
})

// Takes a while and 600 MB of disk.
describe.runIf(process.env.DSH_FULL === '1')(
  'a log that is larger than the longest string',
  { timeout: 300_000 },
  () => {
    it('opens, is read through and goes on, in memory for what its reader keeps', async () => {
      const writer = await driver.create(header(), [])
      for (let seq = 0; statSync(driver.locate(header())).size < 620 * MEGABYTE; seq += 8) {
        await writer.append(
          seq,
          toRecords(Array.from({ length: 8 }, (_, index) => event(seq + index, 'x'.repeat(500_000)))),
        )
      }
      await writer.close()

      for (const mode of ['read', 'write'] as const) {
        const handle = await driver.open(header().id, mode)
        const before = process.memoryUsage().rss
        let next = 0
        let most = 0
        for await (const records of handle.read({})) {
          for (const { seq, count } of records) {
            expect(seq).toBe(next)
            next += count
          }
          most = Math.max(most, process.memoryUsage().rss - before)
        }
        expect(next).toBe(handle.nextSeq)
        expect(most).toBeLessThan(300 * MEGABYTE)
        expect(await collect(handle.read({ from: next - 1, reverse: true }))).toHaveLength(1)
        if (mode === 'write') await handle.append(next, toRecords([event(next)]))
        await handle.close()
      }
      expect((await driver.list({})).entries).toMatchObject([
        { state: 'ok', nextSeq: (await driver.open(header().id, 'read')).nextSeq },
      ])
    })

    it('opens when a line of it is a hundred megabytes', async () => {
      const handle = await driver.create(
        header(),
        toRecords([event(0), event(1, 'x'.repeat(100 * MEGABYTE)), event(2)]),
      )
      const found = await collect(handle.read({}))
      expect(found.map(({ body }) => body.length > 100 * MEGABYTE)).toEqual([false, true, false])
      expect(await collect(handle.read({ from: 2 }))).toHaveLength(1)
      expect(await collect(handle.read({ from: 1, reverse: true }))).toHaveLength(2)
    })
  },
)
