import { addUsage } from '@dsh/llm'
import { Session, sessionTokenTotals } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { courseOf, subtract } from '../../src/reading/course.js'
import { LogBuilder } from '../support/log-builder.js'

const log = new LogBuilder()
  .prompt('First')
  .answer('Looking', {
    usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 50 },
    calls: [{ name: 'read', result: 'text', took: 250 }, { name: 'slow' }],
  })
  .answer('Done', { usage: { inputTokens: 120, outputTokens: 5 } })
  .end()
  .prompt('Second')
  .answer('Hm', { usage: { inputTokens: 7, outputTokens: 1 } })

function openCourse(events = log.events) {
  const view = new Session('s' as Session['id'], events)
  return { view, course: courseOf(view) }
}

describe('courseOf', () => {
  it('gives each step and turn the tokens that were used in it', () => {
    const { course } = openCourse()
    const [first, second] = course.outline.turns
    expect(course.tokensOf(first!.steps[0]!)).toEqual({ inputTokens: 100, outputTokens: 10, cacheReadTokens: 50 })
    expect(course.tokensOf(first!.steps[1]!)).toEqual({ inputTokens: 120, outputTokens: 5, cacheReadTokens: 0 })
    expect(course.tokensOf(first!)).toEqual({ inputTokens: 220, outputTokens: 15, cacheReadTokens: 50 })
    expect(course.tokensOf(second!)).toMatchObject({ inputTokens: 7, outputTokens: 1 })
  })

  it('adds up to the totals of the session', () => {
    const { view, course } = openCourse()
    const sum = course.outline.turns.map(course.tokensOf).reduce(addUsage)
    expect(sum).toEqual(sessionTokenTotals(view).total)
  })

  it('knows when a call was made and answered', () => {
    const { course } = openCourse()
    const [read, slow] = course.outline.turns[0]!.steps[0]!.calls
    const { start, end } = course.timesOf(read!)
    expect(end! - start!).toBe(250)
    expect(course.timesOf(slow!)).toEqual({ start: end })
    expect(course.timesOf({ callId: 'x' as never, name: 'x' })).toEqual({})
  })

  it('finds what was asked for in a turn', () => {
    const { course } = openCourse()
    expect(course.outline.turns.map(course.promptOf)).toEqual(['First', 'Second'])
    const silent = new LogBuilder().add('turn/start', { turn: 1, trigger: { kind: 'retry' } })
    expect(openCourse(silent.events).course.outline.turns.map(openCourse(silent.events).course.promptOf)).toEqual([
      undefined,
    ])
  })

  it('stays the same when the log grows', () => {
    const session = new Session('s' as Session['id'], log.events)
    const before = courseOf(session)
    const tokens = before.tokensOf(before.outline.turns[0]!)
    session.append('turn/end', { turn: 2, reason: { kind: 'completed' } })
    expect(before.tokensOf(before.outline.turns[0]!)).toEqual(tokens)
    expect(courseOf(session).outline.turns[1]!.endSeq).toBe(session.seq - 1)
  })
})

describe('subtract', () => {
  it('takes counts that were not there before as nothing', () => {
    expect(
      subtract({ inputTokens: 5, outputTokens: 4, cacheReadTokens: 3 }, { inputTokens: 2, outputTokens: 4 }),
    ).toEqual({
      inputTokens: 3,
      outputTokens: 0,
      cacheReadTokens: 3,
    })
  })
})
