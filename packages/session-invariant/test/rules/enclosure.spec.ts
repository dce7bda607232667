import { describe, expect, it } from 'vitest'
import { enclosure } from '../../src/rules/enclosure.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import {
  assistant,
  type Draft,
  raw,
  say,
  steering,
  stepEnd,
  stepStart,
  textDelta,
  toolCall,
  toolResult,
  turnEnd,
  turnStart,
  user,
} from '../support/draft.js'

const executed: readonly [string, (step: number, turn: number) => Draft][] = [
  ['a chunk', (step, turn) => textDelta('Hi', step, turn)],
  ['an assistant message', (step, turn) => assistant([say('Hi')], { step, turn })],
  ['a tool call', (step, turn) => toolCall('c', 'read', '{}', step, turn)],
  ['a tool result', (step, turn) => toolResult('c', { step, turn })],
]
const replace = { op: 'replace', start: 0, end: 0 } as const

describe('enclosure', () => {
  it.each(executed)('accepts %s in its open turn and step only', (_, draft) => {
    const inside = [turnStart(1), stepStart(1), draft(1, 1), stepEnd(1), turnEnd(1)]
    expect(brokenBy(enclosure, ...inside)).toEqual([])
    expect(brokenBy(enclosure, draft(1, 1), ...inside)).toEqual([0])
    expect(brokenBy(enclosure, ...inside, draft(1, 1))).toEqual([5])
    expect(brokenBy(enclosure, turnStart(1), draft(1, 1), stepStart(1))).toEqual([1])
    expect(brokenBy(enclosure, turnStart(1), stepStart(1), stepEnd(1), draft(1, 1))).toEqual([3])
    expect(brokenBy(enclosure, turnStart(1), stepStart(1), draft(2, 1), draft(1, 2), draft(0, 1))).toEqual([2, 3, 4])
    expect(brokenBy(enclosure, draft(0, 0), turnStart(1), draft(0, 1))).toEqual([0, 2])
  })

  it('accepts steering in its open turn, whether or not a step is open', () => {
    expect(brokenBy(enclosure, turnStart(1), steering(1), stepStart(1), steering(1), stepEnd(1), steering(1))).toEqual(
      [],
    )
    expect(brokenBy(enclosure, steering(1), turnStart(1), steering(2), turnEnd(1), steering(1))).toEqual([0, 2, 4])
  })

  it('accepts user messages and log-only events anywhere', () => {
    expect(brokenBy(enclosure, user(), raw('todo/write'), turnStart(1), user(), turnEnd(1), raw('acme/note'))).toEqual(
      [],
    )
  })

  it('lets rewrites of the surface name a step of the past', () => {
    const past = { step: 1, turn: 1, surfaceOp: replace }
    expect(
      brokenBy(
        enclosure,
        assistant([say('Hi')], past),
        toolResult('c', past),
        steering(1, replace),
        user('Hi', replace),
      ),
    ).toEqual([])
  })

  it('says what is open', () => {
    expect(complaints(enclosure, textDelta())).toEqual([
      'expected turn 1, step 1 open, found assistant/chunk in no open turn at type',
    ])
    expect(complaints(enclosure, turnStart(2), steering(1))).toEqual([
      'expected turn 1 open, found steering/message in turn 2 between its steps at type',
    ])
  })
})
