import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { DriverHandle } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'
import { openDriver } from './support/driver.js'
import { collect, header, plain, sampleEvents, toRecords } from './support/records.js'
import { temporaryFile } from './support/temporary.js'

const FRAME = 4_096 + 24

const stored = async (handle: DriverHandle) => (await collect(handle.read({}))).map(plain)

/** What the disk may hold of a log when the power fails: what was synced, and of what was written since anything. */
function* cuts(synced: Buffer, written: Buffer): Generator<Buffer> {
  const common = synced.length
  for (let length = common; length < written.length; length += 5_000) {
    yield written.subarray(0, length)
    // The size is on the disk before the bytes are.
    yield Buffer.concat([written.subarray(0, length), Buffer.alloc(written.length - length)])
  }
  for (let start = common; start < written.length; start += FRAME) {
    const lost = Buffer.from(written)
    lost.fill(0, start, start + FRAME)
    yield lost
  }
  yield written
}

describe('a power cut', () => {
  it('takes nothing that was acknowledged, and leaves of a batch all or nothing', async () => {
    const { driver, file } = openDriver({ durability: 'fsync' })
    const records = toRecords(sampleEvents(90))
    const handle = await driver.create(header(), records.slice(0, 1))
    const logs = [readFileSync(`${file}-wal`)]
    const lengths = [1]
    for (let at = 1; at < records.length; at += 9) {
      const batch = records.slice(at, at + 9)
      await handle.append(batch[0]!.seq, batch)
      logs.push(readFileSync(`${file}-wal`))
      lengths.push(at + batch.length)
    }
    const copy = temporaryFile()
    let states = 0
    for (let batch = 0; batch + 1 < logs.length; batch++) {
      for (const log of cuts(logs[batch]!, logs[batch + 1]!)) {
        copyFileSync(file, copy)
        writeFileSync(`${copy}-wal`, log)
        const { driver: later } = openDriver({ file: copy })
        const found = await stored(await later.open(header().id, 'write'))
        const possible = [lengths[batch]!, lengths[batch + 1]!]
        expect(possible).toContain(found.length)
        expect(found).toEqual(records.slice(0, found.length).map(plain))
        await later.close()
        states++
      }
    }
    expect(states).toBeGreaterThan(60)
  })
})
