import { providerTranscript, userMessage } from '@dsh/llm'
import { closeOpenTurn, isSessionError, Session } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { programs, runProgram } from '../../session/test/support/recorder-program.js'
import { type CompactionRange, oldestRange, wholeRange } from '../src/index.js'
import { sameRange } from '../src/range.js'
import { openCall, outlineOf, recordTurns } from './support/conversation.js'

/** The surface with `range` replaced. */
function replaced(session: Session, { start, end, seqs }: CompactionRange): Session {
  const copy = new Session('copy', session.events)
  copy.append('user/message', userMessage('summary', { source: { kind: 'plugin', plugin: 'p' } }), {
    surfaceOp: { op: 'replace', start, end },
    sourceEventSeqs: seqs,
  })
  return copy
}

/** What a provider would have to be spared: calls without answers, and answers without calls. */
function unpaired(session: Session): number {
  const closed = new Session('closed', [...session.events, ...closeOpenTurn(session, 'interrupted')])
  return providerTranscript(closed.deriveMessages()).changes.filter(({ kind }) => kind.startsWith('result')).length
}

describe('wholeRange', () => {
  it('takes the nodes that it is given', () => {
    const session = new Session('s')
    recordTurns(session, 2)
    const { nodes } = session.surface
    const range = wholeRange(session, nodes[0]!, nodes[4]!)
    expect(range).toMatchObject({ start: nodes[0], end: nodes[4], seqs: nodes.slice(0, 5) })
    expect(range.messages).toEqual(session.deriveMessages().slice(0, 5))
  })

  it('grows to both sides until no call is parted from its answer', () => {
    const session = new Session('s')
    recordTurns(session)
    const [prompt, calls, first, second, answer] = session.surface.nodes as [number, number, number, number, number]
    expect(wholeRange(session, first, first).seqs).toEqual([calls, first, second])
    expect(wholeRange(session, prompt, calls).seqs).toEqual([prompt, calls, first, second])
    expect(wholeRange(session, second, answer).seqs).toEqual([calls, first, second, answer])
    expect(wholeRange(session, answer, answer).seqs).toEqual([answer])
  })

  it('refuses a range with a call in flight, and one behind it', () => {
    const session = new Session('s')
    recordTurns(session)
    openCall(session)
    const { nodes } = session.surface
    const [calls, result] = nodes.slice(-2) as [number, number]
    for (const end of [calls, result]) {
      expect(() => wholeRange(session, nodes[0]!, end)).toThrow(`in flight, found one at seq ${calls}`)
    }
    expect(() => wholeRange(session, result, result)).toThrow('in flight')
    expect(wholeRange(session, nodes[0]!, nodes[5]!).seqs).toEqual(nodes.slice(0, 6))
  })

  it('refuses bounds that are not on the surface or out of order', () => {
    const session = new Session('s')
    recordTurns(session)
    const { nodes } = session.surface
    for (const [start, end] of [
      [0, nodes[1]!],
      [nodes[1]!, 999],
      [nodes[4]!, nodes[0]!],
    ] as const) {
      try {
        wholeRange(session, start, end)
        expect.unreachable()
      } catch (error) {
        expect(isSessionError(error, 'SURFACE_CONFLICT')).toBe(true)
      }
    }
  })

  it('pairs an id that a provider uses again with the latest call', () => {
    const session = new Session('s')
    recordTurns(session, 3)
    const { nodes } = session.surface
    for (const [at, turn] of [0, 0, 0, 0, 0, 1, 1, 1, 1, 1].entries()) {
      const { seqs } = wholeRange(session, nodes[at]!, nodes[at]!)
      expect(seqs.every(seq => nodes.indexOf(seq) >= turn * 5 && nodes.indexOf(seq) < turn * 5 + 5)).toBe(true)
    }
  })

  it('never parts a call from its answer, whatever was recorded and wherever it is asked to begin and end', () => {
    fc.assert(
      fc.property(programs, program => {
        const session = new Session('s')
        runProgram(session, program)
        const before = unpaired(session)
        const { nodes } = session.surface
        for (const start of nodes) {
          for (const end of nodes.slice(nodes.indexOf(start))) {
            let range: CompactionRange
            try {
              range = wholeRange(session, start, end)
            } catch (error) {
              expect((error as Error).message).toContain('in flight')
              continue
            }
            expect(range.seqs).toEqual(expect.arrayContaining([start, end]))
            expect(unpaired(replaced(session, range))).toBeLessThanOrEqual(before)
          }
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('oldestRange', () => {
  it('keeps at least what it is told to keep', () => {
    const session = new Session('s')
    recordTurns(session, 2)
    const { nodes } = session.surface
    expect(oldestRange(session)?.seqs).toEqual(nodes)
    expect(oldestRange(session, { keepLast: 5 })?.seqs).toEqual(nodes.slice(0, 5))
    expect(oldestRange(session, { keepFirst: 1, keepLast: 1 })?.seqs).toEqual(nodes.slice(1, 9))
    expect(oldestRange(session, { keepFirst: 2 })?.seqs).toEqual(nodes.slice(4))
    expect(oldestRange(session, { keepLast: 2 })?.seqs).toEqual(nodes.slice(0, 6))
  })

  it('leaves a call in flight and all that follows it', () => {
    const session = new Session('s')
    recordTurns(session)
    openCall(session)
    expect(oldestRange(session)?.seqs).toEqual(session.surface.nodes.slice(0, 6))
  })

  it('is undefined where there is nothing to gain', () => {
    const session = new Session('s')
    expect(oldestRange(session)).toBeUndefined()
    openCall(session)
    expect(oldestRange(session)).toBeUndefined()
    expect(oldestRange(session, { keepFirst: 99, keepLast: 99 })).toBeUndefined()
  })

  it('takes a call that nobody will answer any more', () => {
    const session = new Session('s')
    const { step } = openCall(session)
    expect(step.openCalls).toHaveLength(1)
    session.append('turn/end', { turn: 1, reason: { kind: 'disposed' } })
    expect(oldestRange(session)?.seqs).toEqual(session.surface.nodes)
    expect(outlineOf(session)).toBe('user, calls, result b')
  })
})

describe('sameRange', () => {
  it('refuses a range whose nodes have changed', () => {
    const session = new Session('s')
    recordTurns(session)
    const range = oldestRange(session)!
    expect(sameRange(session, range)).toEqual(range)
    const changed = replaced(session, wholeRange(session, range.seqs[1]!, range.seqs[3]!))
    expect(() => sameRange(changed, range)).toThrow('expected the nodes')
  })
})
