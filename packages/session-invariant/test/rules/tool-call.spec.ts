import { describe, expect, it } from 'vitest'
import { toolCall as rule } from '../../src/rules/tool-call.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { assistant, call, stepEnd, stepStart, toolCall, toolResult, turnEnd, turnStart } from '../support/draft.js'

const step = [turnStart(1), stepStart(1), assistant([call('a', 'read', '{"path":1}'), call('b')])] as const

describe('tool-call', () => {
  it('accepts the calls of the message in any order', () => {
    expect(brokenBy(rule, ...step, toolCall('b'), toolCall('a', 'read', '{"path":1}'))).toEqual([])
  })

  it('accepts an id that an earlier step used with other arguments', () => {
    const again = [
      stepStart(1, 2),
      assistant([call('b', 'write', '{}')], { turn: 2 }),
      toolCall('b', 'write', '{}', 1, 2),
    ]
    expect(brokenBy(rule, ...step, toolCall('b'), stepEnd(1), turnEnd(1), turnStart(2), ...again)).toEqual([])
  })

  it('refuses a call that the message did not make', () => {
    expect(complaints(rule, ...step, toolCall('c'))).toEqual([
      'expected a call block of the step\'s assistant message, found none with id "c" at data.callId',
    ])
    expect(brokenBy(rule, turnStart(1), stepStart(1), toolCall('a'))).toEqual([2])
  })

  it('refuses a call block of an earlier step', () => {
    expect(brokenBy(rule, ...step, stepEnd(1), stepStart(2), toolCall('b', 'read', '{}', 2))).toEqual([5])
  })

  it('refuses another name, and arguments that are equal as JSON but not as text', () => {
    expect(complaints(rule, ...step, toolCall('b', 'write'))).toEqual([
      'expected name "read", found "write" at data.name',
    ])
    expect(brokenBy(rule, ...step, toolCall('a', 'read', '{ "path": 1 }'))).toEqual([3])
  })

  it('refuses to start a call twice, or after its answer', () => {
    expect(brokenBy(rule, ...step, toolCall('b'), toolCall('b'))).toEqual([4])
    expect(brokenBy(rule, ...step, toolResult('b', { isError: true }), toolCall('b'))).toEqual([4])
  })

  it('takes no call from a message that rewrites the surface', () => {
    const rewrite = assistant([call('z')], { surfaceOp: { op: 'replace', start: 2, end: 2 } })
    expect(brokenBy(rule, ...step, rewrite, toolCall('b'), toolCall('z'))).toEqual([5])
  })
})
