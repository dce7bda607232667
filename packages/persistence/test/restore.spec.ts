import { Session } from '@dsh/session'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodeBatch } from '../src/batch.js'
import type { DriverHandle, StoredRecord } from '../src/driver.js'
import { closeInterruptedTurn, restoreSession } from '../src/restore.js'
import { ManualClock } from './manual-clock.js'
import { addInterruptedTurn, addTurn } from './turns.js'

let clock: ManualClock
let session: Session

beforeEach(() => {
  clock = new ManualClock()
  session = new Session('s')
  for (let turn = 1; turn <= 60; turn++) addTurn(session, turn)
})

async function handle(
  more: Partial<DriverHandle> = {},
  change = (records: StoredRecord[]) => records,
): Promise<DriverHandle> {
  const { records } = await encodeBatch(session, 0, session.seq, clock, { packChunks: true })
  return {
    header: session.header,
    nextSeq: session.seq,
    append: () => Promise.reject(new Error('a reader')),
    async *read() {
      yield change([...records])
    },
    close: async () => {},
    ...more,
  }
}

const spoiled = (type: string) => (records: StoredRecord[]) =>
  records.map(record => (record.type === type ? { ...record, body: record.body.subarray(0, -2) } : record))

describe('restoreSession', () => {
  it('gives the session that was stored', async () => {
    const restored = await restoreSession(await handle(), clock)
    expect(restored.header).toEqual(session.header)
    expect(restored.events).toEqual(session.events)
    expect(restored.firstLiveSeq).toBe(session.seq)
  })

  it('believes what a checksum covers and checks in full what none does', async () => {
    const change = spoiled('text-chunks')
    await restoreSession(await handle({}, change), clock)
    await restoreSession(await handle({ trustedSeq: session.seq }, change), clock)
    for (const trustedSeq of [0, 100, session.seq - 4]) {
      const refusal = restoreSession(await handle({ trustedSeq }, change), clock)
      await expect(refusal).rejects.toMatchObject({ code: 'SESSION_CORRUPT', session: 's' })
    }
  })

  it('lets others run while it restores much', async () => {
    let breaths = 0
    clock.now = () => (clock.time += 10)
    clock.breathe = async () => {
      breaths++
    }
    await restoreSession(await handle(), clock)
    expect(breaths).toBeGreaterThan(0)
  })

  it('refuses a log that ends before it should', async () => {
    const shorter = restoreSession(await handle({ nextSeq: session.seq + 1 }), clock)
    await expect(shorter).rejects.toMatchObject({ code: 'SESSION_CORRUPT', seq: session.seq })
    const header = { ...session.header, seedLength: session.seq + 1 }
    await expect(restoreSession(await handle({ header }), clock)).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
  })

  it.each([0, 2])('refuses records of version %i', async version => {
    const other = (records: StoredRecord[]) =>
      records.map((record, index) => (index === 5 ? { ...record, version } : record))
    const direction = version === 0 ? 'older' : 'newer'
    await expect(restoreSession(await handle({}, other), clock)).rejects.toMatchObject({
      code: 'FORMAT_UNSUPPORTED',
      found: `the ${direction} version ${version}`,
    })
  })
})

describe('closeInterruptedTurn', () => {
  it('gives back a session whose turns have all ended', async () => {
    expect(closeInterruptedTurn(session)).toEqual({ session, closers: [] })
  })

  it('adds the closers as if they had been stored, the same ones each time, and changes nothing else', async () => {
    addInterruptedTurn(session, 61)
    const restored = await restoreSession(await handle(), clock)
    const [once, twice] = [closeInterruptedTurn(restored), closeInterruptedTurn(restored)]
    expect(once.session.events).toEqual([...session.events, ...once.closers])
    expect(once.session.firstLiveSeq).toBe(once.session.seq)
    expect(once.session.events).toEqual(twice.session.events)
    expect(once.session.surface.nodes).toHaveLength(session.surface.nodes.length + 2)
    expect(restored.seq).toBe(session.seq)
  })

  it('closes a turn whose tail no checksum covered', async () => {
    addInterruptedTurn(session, 61)
    const restored = await restoreSession(await handle({ trustedSeq: session.seq - 3 }), clock)
    const { session: repaired, closers } = closeInterruptedTurn(restored)
    expect(repaired.events).toEqual([...session.events, ...closers])
  })
})
