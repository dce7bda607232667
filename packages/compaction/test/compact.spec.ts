import { callId, type Message, messageText, providerTranscript, userMessage } from '@dsh/llm'
import { encodeRows, isSessionError, recordTurn, Session, type SessionEvent, sessionTokenTotals } from '@dsh/session'
import { attachHost } from '@dsh/session/host'
import { findViolations } from '@dsh/session-invariant'
import { describe, expect, it } from 'vitest'
import { compact, oldestRange } from '../src/index.js'
import { compactionRules } from '../src/invariant.js'
import { openCall, outlineOf, recordTurns, usagePerStep } from './support/conversation.js'

const usage = { inputTokens: 1_000, outputTokens: 50 }
const summarize = async () => ({ summary: 'They read two files.', usage })

function conversation(turns = 2): Session {
  const session = new Session('s')
  recordTurns(session, turns)
  return session
}

function breaches(session: Session) {
  return [...findViolations(session), ...findViolations(session, compactionRules)]
}

function bytes(events: readonly SessionEvent[]): number {
  return encodeRows(events).reduce((sum, row) => sum + row.body.length, 0)
}

describe('compact', () => {
  it('replaces the range by the summary and records how', async () => {
    const session = conversation()
    const [before, from] = [session.deriveMessages(), session.seq]
    const range = oldestRange(session, { keepLast: 1 })!
    let shown: readonly Message[] = []
    const message = await compact(session, range, async messages => {
      shown = messages
      return summarize()
    })
    expect(shown).toEqual(before.slice(0, 9))
    expect(outlineOf(session)).toBe('summary, assistant')
    expect(messageText(session.deriveMessages()[0]!)).toBe('They read two files.')
    const { start, end, seqs } = range
    expect(session.slice(from).map(({ type, data }) => [type, data])).toEqual([
      ['compact/start', { start, end }],
      ['compact/summary', { start, end, summary: message.data.content, usage }],
      ['user/message', message.data],
      ['compact/end', { start, end, outcome: { kind: 'replaced', seq: message.seq } }],
    ])
    expect(message).toMatchObject({ surfaceOp: { op: 'replace', start, end }, sourceEventSeqs: [...seqs, from + 1] })
    expect(breaches(session)).toEqual([])
  })

  it('keeps a call in flight, whose result lands after it', async () => {
    const session = conversation(1)
    const { turn, step } = openCall(session)
    await compact(session, oldestRange(session)!, summarize)
    step.result(callId('a'), 'content of a')
    step.end()
    turn.close()
    expect(outlineOf(session)).toBe('summary, calls, result b, result a')
    // The results came in the order of their completion, which is not that of the calls.
    expect(providerTranscript(session.deriveMessages()).changes.map(({ kind }) => kind)).toEqual(['result-moved'])
    expect(breaches(session)).toEqual([])
  })

  it('lets the session go on while the summary is made', async () => {
    const session = conversation(1)
    const range = oldestRange(session)!
    await compact(session, range, async () => {
      recordTurns(session, 1)
      return summarize()
    })
    expect(outlineOf(session)).toBe('summary, user, calls, result b, result a, assistant')
    expect(breaches(session)).toEqual([])
  })

  it('compacts a summary again', async () => {
    const session = conversation(1)
    for (let round = 0; round < 3; round++) {
      await compact(session, oldestRange(session)!, summarize)
      recordTurns(session, 1)
    }
    expect(outlineOf(session)).toBe('summary, user, calls, result b, result a, assistant')
  })

  it('refuses a range that is not as it was, before it records anything', async () => {
    const session = conversation()
    const range = oldestRange(session, { keepLast: 5 })!
    await compact(session, range, summarize)
    const seq = session.seq
    await expect(compact(session, range, summarize)).rejects.toThrow('SURFACE_CONFLICT')
    expect(session.seq).toBe(seq)
  })

  it('refuses a second compaction while one is under way, and takes one afterwards', async () => {
    const session = conversation()
    const range = oldestRange(session, { keepLast: 5 })!
    const first = compact(session, range, summarize)
    await expect(compact(session, range, summarize)).rejects.toThrow('one compaction of a session at a time')
    await first
    await compact(session, oldestRange(session)!, summarize)
    expect(outlineOf(session)).toBe('summary')
    expect(breaches(session)).toEqual([])
  })
})

describe('a compaction that fails', () => {
  const types = ['compact/start', 'compact/summary', 'user/message', 'compact/end']

  it.each(types)('leaves the old surface or the new one when its %s is refused', async refused => {
    const session = conversation()
    const before = session.deriveMessages()
    attachHost(session, {
      admit({ type }) {
        if (type === refused) throw new Error('refused')
        return undefined
      },
    })
    await expect(compact(session, oldestRange(session)!, summarize)).rejects.toThrow('refused')
    if (refused === 'compact/end') expect(outlineOf(session)).toBe('summary')
    else expect(session.deriveMessages()).toEqual(before)
    expect(breaches(session)).toEqual([])
  })

  it.each([
    ['the model fails', () => Promise.reject(new Error('overloaded')), { kind: 'failed', message: 'overloaded' }],
    ['the model throws no error', () => Promise.reject('overloaded'), { kind: 'failed', message: 'overloaded' }],
    ['the summary is blank', () => ({ summary: ' \n' }), { kind: 'failed', message: expect.stringContaining('blank') }],
  ])('says so when %s, and leaves the surface', async (_, broken, outcome) => {
    const session = conversation()
    const before = session.deriveMessages()
    await expect(compact(session, oldestRange(session)!, broken as never)).rejects.toBeDefined()
    expect(session.deriveMessages()).toEqual(before)
    expect(session.eventAt(session.seq - 1)).toMatchObject({ type: 'compact/end', data: { outcome } })
    expect(breaches(session)).toEqual([])
    await compact(session, oldestRange(session)!, summarize)
    expect(outlineOf(session)).toBe('summary')
  })

  it('says so when the surface changed under it', async () => {
    const session = conversation()
    const range = oldestRange(session)!
    const rewrite = () => {
      const [seq] = range.seqs as [number]
      const surfaceOp = { op: 'replace', start: seq, end: seq } as const
      session.append('user/message', userMessage('shorter'), { surfaceOp, sourceEventSeqs: [seq] })
      return summarize()
    }
    try {
      await compact(session, range, rewrite)
      expect.unreachable()
    } catch (error) {
      expect(isSessionError(error, 'SURFACE_CONFLICT')).toBe(true)
    }
    expect(session.eventAt(session.seq - 1)).toMatchObject({ data: { outcome: { kind: 'failed' } } })
    expect(session.surface.nodes).toHaveLength(10)
    expect(breaches(session)).toEqual([])
  })

  it('stops at a signal, before it starts or before it replaces', async () => {
    const session = conversation()
    const range = oldestRange(session)!
    const seq = session.seq
    await expect(compact(session, range, summarize, { signal: AbortSignal.abort('early') })).rejects.toBe('early')
    expect(session.seq).toBe(seq)
    const controller = new AbortController()
    const abort = () => {
      controller.abort()
      return summarize()
    }
    await expect(compact(session, range, abort, { signal: controller.signal })).rejects.toThrow('aborted')
    expect(session.eventAt(session.seq - 1)).toMatchObject({ data: { outcome: { kind: 'aborted' } } })
    await expect(compact(session, range, summarize, { signal: { aborted: true } })).rejects.toThrow('aborted')
    expect(session.surface.replaceGeneration).toBe(0)
    expect(breaches(session)).toEqual([])
  })

  it('leaves the old surface when the process dies between any two of its events', async () => {
    const session = conversation()
    const from = session.seq
    await compact(session, oldestRange(session)!, summarize)
    for (let seq = from; seq <= session.seq; seq++) {
      const revived = new Session('s', session.slice(0, seq))
      expect(outlineOf(revived)).toBe(outlineOf(seq > from + 2 ? session : conversation()))
      await compact(revived, oldestRange(conversation())!, summarize).catch(() => undefined)
      expect(breaches(revived)).toEqual([])
    }
  })
})

describe('a hundred compactions', () => {
  it('cost their summaries, and keep the totals growing', async () => {
    const session = new Session('s')
    const costs: number[] = []
    let last = 0
    for (let round = 1; round <= 100; round++) {
      recordTurns(session)
      const from = session.seq
      await compact(session, oldestRange(session)!, summarize)
      costs.push(bytes(session.slice(from)))
      expect(session.surface.nodes).toHaveLength(1)
      const { total, calls } = sessionTokenTotals(session)
      expect(total.inputTokens - last).toBe(2 * usagePerStep.inputTokens + usage.inputTokens)
      expect(calls).toBe(round * 3)
      last = total.inputTokens
    }
    // Sequence numbers gain digits, and from the second round on a summary is among the sources.
    expect(Math.max(...costs)).toBeLessThan(costs[0]! + 60)
  })

  it('survive storage', async () => {
    const session = conversation()
    await compact(session, oldestRange(session)!, summarize)
    const stored = Session.restore(session.header, encodeRows(session.events))
    expect(stored.events).toEqual(session.events)
    recordTurn(stored).close()
    expect(breaches(stored)).toEqual([])
  })
})
