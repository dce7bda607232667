import { decodeRow, Session, SessionRestorer } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { encodeBatch } from '../src/batch.js'
import { ManualClock } from './manual-clock.js'
import { addTurn } from './turns.js'

const clock = new ManualClock()
const packed = { packChunks: true }

function grown(turns: number, chunks?: number): Session {
  const session = new Session('s')
  for (let turn = 1; turn <= turns; turn++) addTurn(session, turn, `prompt ${turn}`, chunks)
  return session
}

describe('encodeBatch', () => {
  it('encodes exactly the events of its range', async () => {
    const session = grown(3)
    for (const [from, to] of [
      [0, session.seq],
      [4, 20],
      [5, 6],
      [7, 7],
    ] as const) {
      const batch = await encodeBatch(session, from, to, clock, packed)
      expect([batch.from, batch.to]).toEqual([from, to])
      expect(batch.records.flatMap(record => decodeRow(record))).toEqual(session.slice(from, to))
      expect(batch.records.every(record => record.version === 1)).toBe(true)
    }
  })

  it('packs stream deltas only where it may', async () => {
    const session = grown(1, 40)
    expect((await encodeBatch(session, 0, session.seq, clock, packed)).records).toHaveLength(7)
    expect((await encodeBatch(session, 0, session.seq, clock, { packChunks: false })).records).toHaveLength(session.seq)
  })

  it('passes stored rows on as they are, and decodes one that its range cuts', async () => {
    const session = grown(2, 40)
    const { records } = await encodeBatch(session, 0, session.seq, clock, packed)
    const restorer = new SessionRestorer(session.header)
    for (const record of records) restorer.push(record, { trusted: true })
    const restored = restorer.finish()
    restored.append('todo/write', { todos: [] })
    const whole = await encodeBatch(restored, 0, restored.seq, clock, packed)
    for (const [index, record] of records.entries()) expect(whole.records[index]).toBe(record)
    const cut = await encodeBatch(restored, 10, restored.seq, clock, packed)
    expect(cut.records.flatMap(record => decodeRow(record))).toEqual(restored.slice(10))
  })

  it('ends where it grows large, but never before what it has to reach', async () => {
    const session = new Session('s')
    const text = 'x'.repeat(100_000)
    for (let index = 0; index < 1_100; index++) {
      session.append('todo/write', { todos: [{ content: index % 10 === 0 ? text : '', status: 'pending' }] })
    }
    const first = await encodeBatch(session, 0, session.seq, clock, packed)
    expect(first.to).toBeLessThan(session.seq)
    const rest = await encodeBatch(session, first.to, session.seq, clock, packed)
    expect([...first.records, ...rest.records].map(record => record.seq)).toEqual(
      session.events.map(event => event.seq).slice(0, rest.to),
    )
    const whole = await encodeBatch(session, 0, session.seq, clock, { ...packed, atLeast: session.seq })
    expect(whole.to).toBe(session.seq)
  })

  it('lets others run while it encodes much', async () => {
    const session = grown(400, 20)
    let breaths = 0
    const busy = new ManualClock()
    busy.now = () => busy.time++ * 10
    busy.breathe = async () => {
      breaths++
    }
    await encodeBatch(session, 0, session.seq, busy, packed)
    expect(breaths).toBeGreaterThan(5)
  })
})
