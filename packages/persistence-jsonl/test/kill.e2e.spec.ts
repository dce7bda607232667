import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { SessionId } from '@dsh/session'
import { decodeRow } from '@dsh/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { Appender } from './support/child.js'
import { randomFrom } from './support/random.js'
import { collect } from './support/records.js'

/** With DSH_FULL=1 as often as it is meant; by default a few times, to be quick. */
const KILLS = process.env.DSH_FULL === '1' ? 200 : 25

const id = 'killed' as SessionId
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kill-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

describe('a process that is killed while it appends', { timeout: 300_000 }, () => {
  it(`loses nothing that it acknowledged, ${KILLS} times on one log`, async () => {
    const random = randomFrom(7)
    let acknowledged = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const child = new Appender(root, id, 100_000)
      const appends = Math.floor(random() * 30)
      for (let count = 0; count <= appends; count++) await child.report()
      // A moment within an append, not after it.
      await setTimeout(random() * 4)
      child.kill('SIGKILL')
      await child.ended()
      expect(child.acknowledged).toBeGreaterThanOrEqual(acknowledged)
      acknowledged = child.acknowledged

      const driver = new JsonlDriver({ root })
      const handle = await driver.open(id, kill % 2 === 0 ? 'write' : 'read')
      const events = (await collect(handle.read({}))).flatMap(record => decodeRow(record))
      expect(events.length).toBeGreaterThanOrEqual(acknowledged)
      events.forEach((event, seq) => {
        expect(event).toMatchObject({ seq, data: { seq } })
      })
      acknowledged = Math.max(acknowledged, kill % 2 === 0 ? events.length : acknowledged)
      await driver.close()
    }
    expect(acknowledged).toBeGreaterThan(KILLS)
  })
})
