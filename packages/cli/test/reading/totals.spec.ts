import type { SessionListing } from '@dsh/persistence'
import { Session, type SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { Totals } from '../../src/reading/totals.js'
import { LogBuilder, START } from '../support/log-builder.js'

function open(id: string, events: readonly SessionEvent[], meta: object = {}) {
  const header = { version: 1, id: id as Session['id'], createdAt: START, ...meta }
  const view = new Session(header.id, events, header)
  const entry: SessionListing = {
    id: header.id,
    header,
    nextSeq: events.length,
    lastTime: START + 9,
    state: 'ok',
    bytes: 100,
  }
  return { entry, view }
}

const usage = { inputTokens: 10, outputTokens: 2 }
const parent = new LogBuilder()
  .prompt('One')
  .answer('', { usage, calls: [{ name: 'read', result: 'x' }] })
  .end()
const child = new LogBuilder(parent.events).prompt('Two').answer('Yes', { usage }).end()

describe('Totals', () => {
  it('is empty before anything is added', () => {
    const totals = new Totals()
    expect(totals.sessions).toBe(0)
    expect(totals.toJSON()).toMatchObject({ events: 0, firstTime: undefined, models: [], tools: [] })
  })

  it('counts what a fork inherited once', () => {
    const totals = new Totals()
    const [a, b] = [open('a', parent.events), open('b', child.events, { seedLength: parent.events.length })]
    totals.add(a.entry, a.view)
    totals.add(b.entry, b.view)
    expect(totals).toMatchObject({ sessions: 2, bytes: 200, events: child.events.length, turns: 2, calls: 2 })
    expect(totals.tokens).toEqual({ inputTokens: 20, outputTokens: 4 })
    expect(totals.byCalls).toEqual([['read', { calls: 1, errors: 0, time: 300 }]])
  })

  it('counts what cannot be read without reading it', () => {
    const totals = new Totals()
    const { entry } = open('a', [])
    const { bytes: _, ...unknownSize } = entry
    totals.addUnread({ ...unknownSize, state: 'corrupt' })
    expect(totals.toJSON()).toMatchObject({
      sessions: { ok: 0, unfinished: 0, corrupt: 1 },
      bytes: undefined,
      events: 0,
    })
  })

  it('puts the most first', () => {
    const totals = new Totals()
    const { view } = open('a', parent.events)
    totals.addTypes(view)
    const counts = totals.byNumber.map(([, count]) => count)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    expect(counts.reduce((a, b) => a + b)).toBe(parent.events.length)
    expect(totals.toJSON().types).toContainEqual({ type: 'turn/end', events: 1 })
  })
})
