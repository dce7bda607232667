import type { SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import type { ImportStep } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { SessionStorer } from '../../src/importing/session-storer.js'
import { storedEvents } from '../../src/migrating/stored-events.js'
import { LogBuilder, START } from '../support/log-builder.js'
import { TestRoot } from '../support/root.js'

const chunks = Array.from({ length: 9_000 }, (_, index) => `delta ${index} `.repeat(20))
const { events } = new LogBuilder().prompt('One').answer('Two', { chunks }).end()

function header(id: string, meta: Partial<SessionHeader> = {}): SessionHeader {
  return { version: 1, id: id as SessionId, createdAt: START, ...meta }
}

function step(id: string, part: readonly SessionEvent[], rest: Partial<ImportStep> = {}): ImportStep {
  return { header: header(id), role: 'live', events: part, isLast: false, ...rest }
}

async function eventsOf(root: TestRoot, id: string): Promise<SessionEvent[]> {
  const found: SessionEvent[] = []
  await root.use(async driver => {
    for await (const event of storedEvents(await driver.open(id as SessionId, 'read'))) found.push(event)
  })
  return found
}

describe('SessionStorer', () => {
  it('stores sessions that take turns, bit by bit', async () => {
    const root = new TestRoot()
    await root.use(async driver => {
      const storer = new SessionStorer(driver)
      for (let from = 0; from < events.length; from += 1_500) {
        await storer.take(step('a', events.slice(from, from + 1_500)))
        if (from < 4_000) await storer.take(step('b', events.slice(from, from + 1_500)))
      }
      await storer.take(step('a', [], { isLast: true }))
      await storer.take(step('b', events.slice(4_500), { isLast: true }))
    })
    expect(await eventsOf(root, 'a')).toEqual(events)
    expect(await eventsOf(root, 'b')).toEqual(events)
  })

  it('gives a branch what it inherits, also where that ends inside a packed row', async () => {
    const root = new TestRoot()
    const boundary = 700
    const rest = events.slice(boundary + 1, boundary + 9)
    const inherits = { from: 'a' as SessionId, boundary }
    await root.use(async driver => {
      const storer = new SessionStorer(driver)
      await storer.take(step('a', events, { isLast: true }))
      const branch = header('b', { parentSession: 'a' as SessionId, seedLength: boundary + 1 })
      await storer.take({ header: branch, role: 'branch', events: rest, inherits, isLast: true })
    })
    expect(await eventsOf(root, 'b')).toEqual(events.slice(0, boundary + 9))
  })

  it('stores a session without events', async () => {
    const root = new TestRoot()
    await root.use(driver => new SessionStorer(driver).take(step('a', [], { isLast: true })))
    expect(await eventsOf(root, 'a')).toEqual([])
  })

  it('takes everything back when the import fails, and nothing that was there before', async () => {
    const root = new TestRoot()
    await root.store('there', events.slice(0, 2))
    await root.use(async driver => {
      const storer = new SessionStorer(driver)
      await storer.take(step('a', events, { isLast: true }))
      await storer.take(step('b', events))
      await expect(storer.take(step('there', events, { isLast: true }))).rejects.toMatchObject({
        code: 'SESSION_ALREADY_EXISTS',
      })
      await storer.undo()
      expect((await driver.list({})).entries.map(({ id }) => id)).toEqual(['there'])
    })
    expect(await eventsOf(root, 'there')).toEqual(events.slice(0, 2))
  })
})
