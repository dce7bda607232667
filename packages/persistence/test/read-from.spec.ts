import type { Session } from '@dsh/session'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EventPage } from '../src/read-from.js'
import type { SessionPersistence } from '../src/service.js'
import { mount, startApp, storeSession } from './app.js'
import { FaultyDriver } from './faulty-driver.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'
import { addTurn } from './turns.js'

let persistence: SessionPersistence
let driver: FaultyDriver
let session: Session

beforeEach(async () => {
  const storage = new MemoryStorage()
  session = await storeSession(storage, 's', each => {
    for (let turn = 1; turn <= 4; turn++) addTurn(each, turn, `prompt ${turn}`, 20)
  })
  driver = new FaultyDriver(new MemoryDriver(storage))
  ;({ persistence } = await mount(await startApp(), driver))
})

describe('readFrom', () => {
  it('gives the rest of the log from any event on, also from within a packed row', async () => {
    for (let seq = 0; seq <= session.seq; seq++) {
      const page = await persistence.readFrom('s', seq)
      expect(page).toEqual({ events: session.slice(seq) })
    }
  })

  it('asks the driver for no more than it gives', async () => {
    await persistence.readFrom('s', session.seq - 2)
    expect(driver.made('read')).toEqual([`read s {"from":${session.seq - 2},"to":${session.seq}}`])
  })

  it.each([1, 3, 7, 1_000])('pages by %i events without losing or repeating one', async limit => {
    const events = []
    let next: number | undefined = 0
    while (next !== undefined) {
      const page: EventPage = await persistence.readFrom('s', next, { limit })
      expect(page.events.length).toBeLessThanOrEqual(limit)
      events.push(...page.events)
      next = page.next
    }
    expect(events).toEqual(session.events)
  })

  it('pages by bytes, and gives an oversize record all the same', async () => {
    const events = []
    let next: number | undefined = 0
    let pages = 0
    while (next !== undefined) {
      const page: EventPage = await persistence.readFrom('s', next, { maxBytes: 1 })
      expect(page.events.length).toBeGreaterThan(0)
      events.push(...page.events)
      next = page.next
      pages++
    }
    expect(events).toEqual(session.events)
    expect(pages).toBe(7 * 4)
  })

  it.each([-1, 1.5, Number.NaN, 1_000_000])('refuses to start at %s', async seq => {
    await expect(persistence.readFrom('s', seq)).rejects.toMatchObject({ code: 'INVALID_BOUNDARY', session: 's' })
  })

  it.each([{ limit: 0 }, { limit: Number.NaN }, { maxBytes: -1 }])('refuses %o', async options => {
    await expect(persistence.readFrom('s', 0, options)).rejects.toMatchObject({ code: 'INVALID_BOUNDARY' })
  })

  it('stops with the reason of its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(persistence.readFrom('s', 0, { signal })).rejects.toThrow('enough')
  })
})
