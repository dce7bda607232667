import { describe, expect, it } from 'vitest'
import { followCalls, noCalls, type StepCalls } from '../src/step-calls.js'
import {
  assistant,
  call,
  type Draft,
  logOf,
  raw,
  say,
  stepEnd,
  stepStart,
  toolCall,
  toolResult,
  turnEnd,
  turnStart,
} from './support/draft.js'

const [a, b] = [call('a'), call('b')]

function after(...drafts: Draft[]) {
  return Object.fromEntries(logOf(...drafts).reduce<StepCalls>(followCalls, noCalls))
}

describe('followCalls', () => {
  it('follows each call from its block to its answer', () => {
    const asked = assistant([say('Reading'), a, b])
    expect(after(asked)).toEqual({
      a: { block: a, started: false, answered: false },
      b: { block: b, started: false, answered: false },
    })
    expect(after(asked, toolCall('b'), toolResult('b'), toolResult('a', { isError: true }))).toEqual({
      a: { block: a, started: false, answered: true },
      b: { block: b, started: true, answered: true },
    })
  })

  it('remembers calls and answers that no block asked for', () => {
    expect(after(toolCall('x'), toolResult('y'))).toEqual({
      x: { started: true, answered: false },
      y: { started: false, answered: true },
    })
  })

  it.each([turnStart(), turnEnd(), stepStart(), stepEnd()])('forgets them at $type', boundary => {
    expect(after(assistant([a]), boundary)).toEqual({})
  })

  it('is not moved by rewrites and other events', () => {
    const surfaceOp = { op: 'replace', start: 0, end: 0 } as const
    const rewrites = [assistant([b], { surfaceOp }), toolResult('a', { surfaceOp })]
    expect(after(assistant([a]), ...rewrites, assistant([say('Hi')]), raw('acme/note'))).toEqual(after(assistant([a])))
  })

  it('leaves the map it is given as it was', () => {
    const [asked, started] = logOf(assistant([a]), toolCall('a'))
    const calls = followCalls(noCalls, asked!)
    followCalls(calls, started!)
    expect([noCalls.size, calls.get('a')?.started]).toEqual([0, false])
  })
})
