import { Session } from '@dsh/session'
import { expect, it } from 'vitest'
import { callSpans } from '../src/call-spans.js'
import { openCall, recordTurns } from './support/conversation.js'

it('spans each call and its answer, by position', () => {
  const session = new Session('s')
  recordTurns(session, 2)
  expect(callSpans(session)).toEqual([
    { first: 1, last: 2 },
    { first: 1, last: 3 },
    { first: 6, last: 7 },
    { first: 6, last: 8 },
  ])
})

it('leaves a call in flight open', () => {
  const session = new Session('s')
  openCall(session)
  expect(callSpans(session)).toEqual([
    { first: 1, last: 2 },
    { first: 1, last: undefined },
  ])
})

it('has no span for a call that was left unanswered, nor for an answer to nothing', () => {
  const session = new Session('s')
  openCall(session)
  const [, calls, result] = session.surface.nodes as [number, number, number]
  session.append('turn/end', { turn: 1, reason: { kind: 'disposed' } })
  expect(callSpans(session)).toEqual([{ first: 1, last: 2 }])
  const { data } = session.eventAt(0 + 1) as never as { data: never }
  session.append('user/message', data, {
    surfaceOp: { op: 'replace', start: calls, end: calls },
    sourceEventSeqs: [calls],
  })
  expect([callSpans(session), session.surface.nodes.at(-1)]).toEqual([[], result])
})
