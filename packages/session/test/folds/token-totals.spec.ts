import { addUsage, type StreamChunk, type TokenUsage } from '@dsh/llm'
import { forkSession, Session, sessionTokenTotals, type TokenTotals, tokenTotals, tokenTotalsFrom } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistant, user } from '../support/events.js'
import { eventList, foldEvents } from '../support/fold-events.js'
import { programs, runProgram } from '../support/recorder-program.js'

const usage = (inputTokens: number, outputTokens: number): TokenUsage => ({ inputTokens, outputTokens })

/** A turn of one step that streams what is given and answers. */
function record(session: Session, turn: number, chunks: readonly StreamChunk[], reported?: TokenUsage): void {
  session.append('turn/start', { turn, trigger: { kind: 'retry' } })
  session.append('step/start', { turn, step: 1 })
  for (const chunk of chunks) session.append('assistant/chunk', { turn, step: 1, chunk })
  const data = { turn, step: 1, message: assistant('ok'), ...(reported && { usage: reported }) }
  session.append('assistant/message', data, { surfaceOp: 'append' })
  session.append('step/end', { turn, step: 1 })
  session.append('turn/end', { turn, reason: { kind: 'completed' } })
}

const report = (input: number, output: number): StreamChunk => ({ type: 'usage', usage: usage(input, output) })

describe('tokenTotals', () => {
  it('adds the calls of all steps, from their chunks or else from their messages', () => {
    const session = new Session('s')
    expect(session.fold(tokenTotals)).toMatchObject({ calls: 0, total: usage(0, 0) })
    record(session, 1, [report(10, 2)], usage(10, 2))
    record(session, 2, [], usage(5, 1))
    record(session, 3, [])
    expect(session.fold(tokenTotals)).toMatchObject({ calls: 2, total: usage(15, 3), own: usage(15, 3) })
  })

  it('counts failed attempts, which have no message', () => {
    const session = new Session('s')
    session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } })
    session.append('step/start', { turn: 1, step: 1 })
    session.append('assistant/chunk', { turn: 1, step: 1, chunk: report(10, 2) })
    expect(session.fold(tokenTotals)).toMatchObject({ calls: 1, total: usage(10, 2) })
    session.append('turn/end', { turn: 1, reason: { kind: 'interrupted' } })
    expect(session.fold(tokenTotals)).toMatchObject({ calls: 1, total: usage(10, 2) })
  })

  it('tells attempts apart that a retry event of a plugin separates', () => {
    const at = { turn: 1, step: 1 }
    const chunk = (input: number) => ['assistant/chunk', { ...at, chunk: report(input, 0) }] as const
    const events = eventList(['step/start', at], chunk(10), ['llm/retry', {}], chunk(10))
    expect(foldEvents(tokenTotals, events).total).toEqual(usage(20, 0))
  })

  it('includes the calls of compactions, and does not fall when they shorten the surface', () => {
    const session = new Session('s')
    record(session, 1, [report(100, 20)])
    const append = session.append.bind(session) as (type: string, data: unknown) => void
    append('compact/summary', { usage: usage(50, 5) })
    append('compact/summary', { usage: 'unknown' })
    append('compact/summary', null)
    const [node] = session.surface.nodes
    session.append('user/message', user('summary'), {
      surfaceOp: { op: 'replace', start: node!, end: node! },
      sourceEventSeqs: [node!],
    })
    expect(session.fold(tokenTotals)).toMatchObject({ calls: 2, total: usage(150, 25) })
  })

  it('counts a summary in the middle of a step beside the call in progress', () => {
    const at = { turn: 1, step: 1 }
    const chunk = (output: number) => ['assistant/chunk', { ...at, chunk: report(10, output) }] as const
    const events = eventList(['step/start', at], chunk(1), ['compact/summary', { usage: usage(7, 7) }], chunk(3))
    expect(foldEvents(tokenTotals, events)).toMatchObject({ calls: 2, total: usage(17, 10) })
  })

  it('counts no rewritten answer again', () => {
    const session = new Session('s')
    record(session, 1, [], usage(10, 2))
    const [node] = session.surface.nodes
    const rewritten = { turn: 1, step: 1, message: assistant('redacted'), usage: usage(10, 2) }
    session.append('assistant/message', rewritten, {
      surfaceOp: { op: 'replace', start: node!, end: node! },
      sourceEventSeqs: [node!],
    })
    expect(session.fold(tokenTotals).total).toEqual(usage(10, 2))
  })

  it('never falls, count by count, whatever is recorded', () => {
    fc.assert(
      fc.property(programs, program => {
        const session = new Session('s')
        runProgram(session, program)
        let before: TokenTotals = tokenTotals.initial()
        for (let seq = 0; seq <= session.seq; seq += 3) {
          const { calls, total, own } = session.at(seq).fold(tokenTotals)
          expect(own).toEqual(total)
          expect(calls).toBeGreaterThanOrEqual(before.calls)
          for (const [name, count] of Object.entries(before.total)) {
            expect(total[name as keyof TokenUsage]).toBeGreaterThanOrEqual(count)
          }
          before = { ...before, calls, total }
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('sessionTokenTotals', () => {
  it('counts copied history once over a family of forks', () => {
    const root = new Session('root')
    record(root, 1, [report(100, 10)])
    const child = forkSession(root, { id: 'child' })
    record(child, 2, [report(20, 2)])
    const grandchild = forkSession(child, { id: 'grandchild' })
    record(grandchild, 3, [report(3, 1)])
    record(root, 2, [report(1, 1)])

    const family = [root, child, grandchild].map(sessionTokenTotals)
    expect(family.map(totals => totals.inherited)).toEqual([usage(0, 0), usage(100, 10), usage(120, 12)])
    expect(family.map(totals => totals.own)).toEqual([usage(101, 11), usage(20, 2), usage(3, 1)])
    expect(family.map(totals => totals.total.inputTokens)).toEqual([101, 120, 123])
    expect(family.map(totals => totals.own).reduce(addUsage)).toEqual(usage(124, 14))
  })

  it('takes all that a resumed session recorded itself for its own', () => {
    const session = new Session('s')
    record(session, 1, [report(10, 1)])
    const resumed = new Session('s', session.events, session.header)
    expect(sessionTokenTotals(resumed)).toMatchObject({ own: usage(10, 1), inherited: usage(0, 0) })
  })
})

describe('tokenTotalsFrom', () => {
  it('is the same definition for the same boundary, so that a session keeps its state', () => {
    expect(tokenTotalsFrom(7)).toBe(tokenTotalsFrom(7))
    expect(tokenTotalsFrom(0)).toBe(tokenTotals)
    expect(tokenTotalsFrom(7)).not.toBe(tokenTotals)
  })

  it('splits the same total at any boundary', () => {
    fc.assert(
      fc.property(programs, fc.nat(200), (program, boundary) => {
        const session = new Session('s')
        runProgram(session, program)
        const { total, inherited, own, calls } = session.fold(tokenTotalsFrom(boundary))
        expect(addUsage(inherited, own)).toEqual(total)
        expect({ calls, total }).toMatchObject({ ...pick(session.fold(tokenTotals)) })
      }),
      { numRuns: 60 },
    )
  })
})

function pick({ calls, total }: TokenTotals) {
  return { calls, total }
}
