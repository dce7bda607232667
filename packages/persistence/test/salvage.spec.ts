import { userMessage } from '@dsh/llm'
import type { Session, SessionEvent } from '@dsh/session'
import type { Context } from 'cordis'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredRecord, TolerantItem } from '../src/driver.js'
import { mount, startApp, storeSession } from './app.js'
import { RichDriver, RichStorage, richManifest } from './rich-driver.js'
import { addTurn } from './turns.js'

let ctx: Context
let storage: RichStorage

beforeEach(async () => {
  ctx = await startApp()
  storage = new RichStorage()
})

async function salvage(remains: TolerantItem[], target = 'saved') {
  storage.remains.set('s', remains)
  if (!ctx.get('sessionPersistence')) await mount(ctx, { driver: new RichDriver(storage), manifest: richManifest })
  const report = await ctx.sessionPersistence.salvage('s', target)
  const { events, view } = await ctx.sessionPersistence.load(target)
  return { report, events, view }
}

async function original(fill: (session: Session) => void): Promise<{ session: Session; records: StoredRecord[] }> {
  const session = await storeSession(storage, 's', fill, { cwd: '/work' })
  return { session, records: [...storage.sessions.get(session.id)!.records] }
}

const found = (...records: StoredRecord[]): TolerantItem => ({ kind: 'records', records })

describe('salvage', () => {
  it('copies an intact session whole into a new one and leaves the old one alone', async () => {
    const { session, records } = await original(each => addTurn(each, 1))
    const { report, events } = await salvage([found(...records)])
    expect(events).toEqual(session.events)
    expect(report).toMatchObject({ recovered: session.seq, lost: [], unreadable: [], degraded: [] })
    expect(report.header).toMatchObject({ id: 'saved', cwd: '/work' })
    expect(report.header.createdAt).toBeGreaterThanOrEqual(session.header.createdAt)
    expect(storage.sessions.get(session.id)!.records).toEqual(records)
  })

  it('puts an event in the place of each lost one, so that numbers hold, and names the ranges', async () => {
    const { session, records } = await original(each => {
      addTurn(each, 1)
      addTurn(each, 2)
    })
    const kept = records.filter((_, index) => ![2, 3, 8].includes(index))
    const lostSeqs = records.filter(record => !kept.includes(record)).flatMap(({ seq, count }) => seqs(seq, count))
    const { report, events } = await salvage([
      found(...kept.slice(0, 2)),
      { kind: 'unreadable', reason: 'no JSON', byte: 120, bytes: 40 },
      found(...kept.slice(2)),
    ])
    expect(events.map(event => event.seq)).toEqual(session.events.map(event => event.seq))
    for (const event of events) {
      if (lostSeqs.includes(event.seq)) expect(event).toMatchObject({ type: 'salvage/lost', data: {} })
      else expect(event).toEqual(session.eventAt(event.seq))
    }
    expect(report.lost.flatMap(({ from, to }) => seqs(from, to - from))).toEqual(lostSeqs)
    expect(report.unreadable).toEqual([{ reason: 'no JSON', byte: 120, bytes: 40 }])
    expect(report.recovered).toBe(session.seq - lostSeqs.length)
  })

  it('takes records in any order, once each', async () => {
    const { session, records } = await original(each => addTurn(each, 1))
    const { report, events } = await salvage([found(...[...records].reverse()), found(...records)])
    expect(events).toEqual(session.events)
    expect(report.unreadable).toEqual([])
  })

  it('keeps the first of two events that claim one number, and says so', async () => {
    const { session, records } = await original(each => addTurn(each, 1))
    const twin = await storeSession(new RichStorage(), 's', each => addTurn(each, 1, 'another prompt'))
    const other = await storeSessionRecords(twin)
    const { report, events } = await salvage([found(...records), found(other[1]!)])
    expect(events).toEqual(session.events)
    expect(report.unreadable).toMatchObject([{ seq: 1, reason: expect.stringContaining('taken') }])
  })

  it('degrades a replacement whose range is partly lost, and reports how', async () => {
    const { session, records } = await original(each => {
      for (let turn = 1; turn <= 3; turn++) addTurn(each, turn)
      const [start, ...rest] = each.surface.nodes
      const nodes = [start!, ...rest.slice(0, 3)]
      const surfaceOp = { op: 'replace', start: start!, end: nodes.at(-1)! } as const
      each.append('user/message', userMessage('summary'), { surfaceOp, sourceEventSeqs: nodes })
    })
    const summary = session.seq - 1
    const kept = records.filter(record => record.seq !== 1)
    const { report, events, view } = await salvage([found(...kept)])
    const next = session.eventAt(summary) as SessionEvent<'user/message'>
    expect(report.degraded).toEqual([
      { seq: summary, recorded: next.surfaceOp, applied: { op: 'replace', start: 8, end: expect.any(Number) } },
    ])
    expect(events[summary]).toMatchObject({ type: 'user/message', data: next.data })
    expect(view.surface.nodes[0]).toBe(summary)
    expect(view.surface.nodes).toHaveLength(3)
  })

  it('appends a replacement nothing of whose range is left', async () => {
    const { session, records } = await original(each => {
      addTurn(each, 1)
      const nodes = [...each.surface.nodes]
      const surfaceOp = { op: 'replace', start: nodes[0]!, end: nodes.at(-1)! } as const
      each.append('user/message', userMessage('summary'), { surfaceOp, sourceEventSeqs: nodes })
    })
    const { report, view } = await salvage([found(records.at(-1)!)])
    expect(report.degraded).toMatchObject([{ seq: session.seq - 1, applied: 'append' }])
    expect(view.surface.nodes).toEqual([session.seq - 1])
  })

  it('counts as lost what can be read and fits into no log', async () => {
    const { records } = await original(each => addTurn(each, 1))
    const text = new TextDecoder().decode(records[1]!.body).replace('"role":"user"', '"role":"nobody"')
    const broken = { ...records[1]!, body: new TextEncoder().encode(text) }
    const { report, events } = await salvage([found(records[0]!, broken, ...records.slice(2))])
    expect(events[1]!.type).toBe('salvage/lost')
    expect(report.lost).toEqual([{ from: 1, to: 2 }])
    expect(report.unreadable).toMatchObject([{ seq: 1 }])
  })

  it('is not led astray by a forged number', async () => {
    const { session, records } = await original(each => addTurn(each, 1))
    const seq = 9_007_199_254_740_000
    const body = new TextEncoder().encode(`{"type":"x/y","seq":${seq},"time":1,"data":{}}`)
    const { report, events } = await salvage([found(...records, { ...records[0]!, seq, type: 'x/y', time: 1, body })])
    expect(events).toEqual(session.events)
    expect(report.unreadable).toMatchObject([{ seq }])
  })

  it('reaches the length that a fork inherited', async () => {
    const { session, records } = await original(each => addTurn(each, 1))
    const stored = storage.sessions.get(session.id)!
    storage.sessions.set(session.id, {
      ...stored,
      header: { ...stored.header, parentSession: 'p' as never, seedLength: session.seq },
    })
    const { report, events } = await salvage([found(...records.slice(0, 2))])
    expect(events).toHaveLength(session.seq)
    expect(report.header.seedLength).toBe(session.seq)
  })

  it('makes do without a header', async () => {
    const { session, records } = await original(each => addTurn(each, 1))
    class Headless extends RichDriver {
      override async readTolerant() {
        return {
          items: (async function* () {
            yield found(...records)
          })(),
        }
      }
    }
    await mount(ctx, { driver: new Headless(storage), manifest: richManifest })
    const report = await ctx.sessionPersistence.salvage('s', 'saved')
    expect(report.header).toEqual({ version: 1, id: 'saved', createdAt: expect.any(Number) })
    expect((await ctx.sessionPersistence.load('saved')).events).toEqual(session.events)
  })

  it('refuses a target that is taken and a session that is not there', async () => {
    const { records } = await original(each => addTurn(each, 1))
    await salvage([found(...records)])
    ctx.sessions.create('live')
    const { sessionPersistence } = ctx
    await expect(sessionPersistence.salvage('s', 'saved')).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
    await expect(sessionPersistence.salvage('s', 's')).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
    await expect(sessionPersistence.salvage('s', 'live')).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
    await expect(sessionPersistence.salvage('nobody', 't')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  it('recovers every record that is left, whichever are', async () => {
    const { session, records } = await original(each => {
      for (let turn = 1; turn <= 4; turn++) {
        addTurn(each, turn)
        if (turn % 2 === 1) continue
        const nodes = each.surface.nodes.slice(0, 2)
        const surfaceOp = { op: 'replace', start: nodes[0]!, end: nodes[1]! } as const
        each.append('user/message', userMessage(`summary ${turn}`), { surfaceOp, sourceEventSeqs: nodes })
      }
    })
    let target = 0
    await fc.assert(
      fc.asyncProperty(fc.subarray(records, { minLength: 1 }), async kept => {
        const { report, events } = await salvage([found(...kept)], `saved ${target++}`)
        for (const { seq, count } of kept) {
          for (const each of seqs(seq, count)) {
            const { surfaceOp: _, ...rest } = events[each] as SessionEvent<'user/message'>
            expect(session.eventAt(each)).toMatchObject(rest)
          }
        }
        expect(report.recovered).toBe(kept.reduce((sum, record) => sum + record.count, 0))
      }),
      { numRuns: 60 },
    )
  })
})

function seqs(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

async function storeSessionRecords(session: Session): Promise<StoredRecord[]> {
  const { encodeRows } = await import('@dsh/session')
  return encodeRows(session.events).map(row => ({ ...row, version: 1 }))
}
