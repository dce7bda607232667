import { describe, expect, it } from 'vitest'
import { LogWriter } from '../../src/log/log-writer.js'
import { AnswerIndex, LinearSurvey } from '../../src/readers/linear-survey.js'

describe('AnswerIndex', () => {
  it('knows whether a call is answered further on', () => {
    const index = new AnswerIndex()
    index.add('1', 3)
    index.add('1', 7)
    expect([index.isAhead('1', 3), index.isAhead('1', 7), index.isAhead('2', 0)]).toEqual([true, false, false])
  })
})

describe('LinearSurvey', () => {
  it('plans one session, with the first time that it has met', () => {
    const reader = { take: () => {}, settle: () => {}, kind: () => 'kind' }
    const asked: boolean[] = []
    const survey = new LinearSurvey(
      ({ ordinal }) => ({ time: ordinal === 0 ? undefined : 100 + ordinal, answers: ordinal === 2 ? ['1'] : [] }),
      () => ({ sourceId: 'id' }),
      (_, willAnswer) => {
        asked.push(willAnswer('1'))
        return reader
      },
    )
    for (const ordinal of [0, 1, 2]) survey.take({ ordinal, position: {}, value: {} })
    const [plan, ...others] = survey.plan()
    expect(others).toEqual([])
    expect(plan).toMatchObject({ key: 'main', role: 'live', sourceId: 'id', startTime: 101 })
    expect(plan!.open(new LogWriter('codex', 0))).toBe(reader)
    expect(asked).toEqual([true])
  })
})
