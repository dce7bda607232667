import { describe, expect, it } from 'vitest'
import { toolResult as rule } from '../../src/rules/tool-result.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { assistant, call, stepEnd, stepStart, toolCall, toolResult, turnStart } from '../support/draft.js'

const step = [turnStart(1), stepStart(1), assistant([call('a'), call('b')]), toolCall('a')] as const

describe('tool-result', () => {
  it('accepts results in any order of completion', () => {
    expect(brokenBy(rule, ...step, toolCall('b'), toolResult('b'), toolResult('a'))).toEqual([])
  })

  it('accepts an error for a call that never started: how a crashed or cancelled turn is closed', () => {
    expect(brokenBy(rule, ...step, toolResult('a', { isError: true }), toolResult('b', { isError: true }))).toEqual([])
  })

  it('refuses a success of a call that never started', () => {
    expect(complaints(rule, ...step, toolResult('b'))).toEqual([
      'expected a recorded tool/call, or an error result, found a result of "b", which never started at data.message.source.callId',
    ])
  })

  it('refuses a second answer', () => {
    expect(brokenBy(rule, ...step, toolResult('a'), toolResult('a', { isError: true }))).toEqual([5])
  })

  it('refuses an answer to a call that nobody made, or that an earlier step made', () => {
    expect(brokenBy(rule, ...step, toolResult('z'))).toEqual([4])
    expect(brokenBy(rule, ...step, stepEnd(1), stepStart(2), toolResult('a', { step: 2 }))).toEqual([6])
  })

  it('lets a rewrite answer a call again', () => {
    const rewrite = toolResult('a', { surfaceOp: { op: 'replace', start: 4, end: 4 } })
    expect(brokenBy(rule, ...step, toolResult('a'), rewrite, stepEnd(1), rewrite)).toEqual([])
  })
})
