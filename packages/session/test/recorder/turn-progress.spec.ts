import { describe, expect, it } from 'vitest'
import { advance, beforeTurn, type TurnProgress, wasCut } from '../../src/recorder/turn-progress.js'
import { assistant, result } from '../support/events.js'
import { type Entry, eventList } from '../support/fold-events.js'

const at = { turn: 1, step: 1 }
const begin = [
  ['turn/start', { turn: 1 }],
  ['step/start', at],
] as const
const chunk = (data: unknown) => ['assistant/chunk', { ...at, chunk: data }] as const
const finish = (kind: string) => chunk({ type: 'finish', reason: { kind } })
const progress = (...entries: Entry[]): TurnProgress => eventList(...entries).reduce(advance, beforeTurn)

describe('advance', () => {
  it('follows steps, chunks, answers and calls', () => {
    expect(beforeTurn).toMatchObject({ started: false, ended: false })
    expect(progress(...begin)).toMatchObject({ started: true, lastStep: 1, step: { step: 1, startSeq: 1 } })
    const answered = progress(...begin, chunk({ type: 'x' }), [
      'assistant/message',
      { ...at, message: assistant('', ['a']) },
    ])
    expect(answered).toMatchObject({ step: { chunkSeq: 2, messageSeq: 3 }, calls: [{ callId: 'a' }] })
    const paired = advance(answered, eventList(['tool/result', { ...at, message: result('a', 'x') }])[0]!)
    expect(paired.calls).toEqual([])
    const ended = progress(...begin, ['step/end', at])
    expect(ended.step).toBeUndefined()
    expect(ended.lastStep).toBe(1)
  })

  it('ends with the turn, or where another turn starts, for good', () => {
    for (const last of ['turn/end', 'turn/start']) {
      const ended = progress(...begin, [last, { turn: 1 }])
      expect(ended).toMatchObject({ ended: true, calls: [] })
      expect(ended.step).toBeUndefined()
      expect(advance(ended, eventList(['step/start', at])[0]!)).toBe(ended)
    }
  })

  it('returns the same progress for events that are none of its business', () => {
    const before = progress(...begin)
    expect(advance(before, eventList(['todo/write', {}])[0]!)).toBe(before)
    const between = progress(begin[0])
    expect(advance(between, eventList(chunk({ type: 'x' }))[0]!)).toBe(between)
  })

  it('takes no rewrite for an answer', () => {
    const replace = { surfaceOp: { op: 'replace', start: 0, end: 0 } }
    const after = progress(...begin, ['assistant/message', { ...at, message: assistant('x') }, replace])
    expect(after.step).not.toHaveProperty('messageSeq')
    expect(progress(begin[0], ['assistant/message', { ...at, message: assistant('x') }]).step).toBeUndefined()
  })

  it('counts on from the last number where a foreign step has none', () => {
    expect(progress(...begin, ['step/end', at], ['step/start', null]).lastStep).toBe(1)
  })
})

describe('wasCut', () => {
  it('goes by the last finish of each step', () => {
    expect(wasCut(progress(...begin, finish('stop')))).toBe(false)
    expect(wasCut(progress(...begin, finish('max-tokens')))).toBe(true)
    expect(wasCut(progress(...begin, finish('max-tokens'), finish('aborted'), ['step/end', at]))).toBe(false)
    expect(wasCut(progress(...begin, finish('max-tokens'), ['step/end', at], ['step/start', at], finish('stop')))).toBe(
      true,
    )
  })
})
