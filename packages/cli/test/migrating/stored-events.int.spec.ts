import type { Driver } from '@dsh/persistence/driver'
import type { SessionEvent, SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { requireEqual, storedEvents } from '../../src/migrating/stored-events.js'
import { LogBuilder } from '../support/log-builder.js'
import { TestRoot } from '../support/root.js'

const { events } = new LogBuilder()
  .prompt('One')
  .answer('Two', { chunks: ['T', 'w', 'o'] })
  .end()
const altered = events.map((event, seq) => (seq === 3 ? { ...event, time: event.time + 1 } : event)) as SessionEvent[]

async function compare(a: readonly SessionEvent[], b: readonly SessionEvent[], length: number, meta: object = {}) {
  const root = new TestRoot()
  const other = new TestRoot()
  await root.store('s', a)
  await other.store('s', b, meta)
  const use = (driver: Driver) => driver.open('s' as SessionId, 'read')
  await root.use(first => other.use(async second => requireEqual(await use(first), await use(second), length)))
}

describe('storedEvents', () => {
  it('unpacks what was stored', async () => {
    const root = new TestRoot()
    await root.store('s', events)
    const found: SessionEvent[] = []
    await root.use(async driver => {
      for await (const event of storedEvents(await driver.open('s' as SessionId, 'read'))) found.push(event)
    })
    expect(found).toEqual(events)
  })
})

describe('requireEqual', () => {
  it('takes equal logs, and a source that has grown since', async () => {
    await compare(events, events, events.length)
    await compare(events, events.slice(0, 4), 4)
  })

  it.each([
    ['another event', events, altered, events.length, {}],
    ['its end', events, events.slice(0, 4), events.length, {}],
    ['more events', events, events, 4, {}],
    ['a source that ends', events.slice(0, 4), events, events.length, {}],
    ['another header', events, events, events.length, { cwd: '/elsewhere' }],
  ] as const)('finds %s', async (words, a, b, length, meta) => {
    await expect(compare(a, b, length, meta)).rejects.toMatchObject({ code: 'SESSION_CORRUPT', found: words })
  })
})
