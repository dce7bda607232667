import { setTimeout } from 'node:timers/promises'
import type { SessionId } from '@dsh/session'
import { decodeRow } from '@dsh/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Appender } from './appender.js'
import type { ProofBackend } from './backend.js'

/** With DSH_FULL=1 as often as it is meant; by default a few times, to be quick. */
const KILLS = process.env.DSH_FULL === '1' ? 200 : 25

const id = 'killed' as SessionId

/** Kills a process that writes, at any moment, again and again on one log. */
export function killProof({ module, newPlace, connect }: ProofBackend): void {
  describe('a process that is killed while it appends', { timeout: 300_000 }, () => {
    it(`loses nothing that it acknowledged, ${KILLS} times on one log`, async () => {
      const place = newPlace()
      let acknowledged = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const child = new Appender(module, place, id, 100_000)
        onTestFinished(() => child.kill('SIGKILL'))
        for (let count = 0; count <= (kill * 7) % 30; count++) await child.report()
        // A moment within an append, not after it.
        await setTimeout(((kill * 13) % 40) / 10)
        child.kill('SIGKILL')
        await child.ended()
        expect(child.acknowledged).toBeGreaterThanOrEqual(acknowledged)
        acknowledged = child.acknowledged

        const driver = connect(place)
        const handle = await driver.open(id, kill % 2 === 0 ? 'write' : 'read')
        let length = 0
        for await (const records of handle.read({})) {
          for (const event of records.flatMap(record => decodeRow(record))) {
            expect(event).toMatchObject({ seq: length, data: { seq: length } })
            length++
          }
        }
        expect(length).toBeGreaterThanOrEqual(acknowledged)
        if (kill % 2 === 0) acknowledged = length
        await driver.close()
      }
      expect(acknowledged).toBeGreaterThan(KILLS)
    })
  })
}
