import { describe, expect, it } from 'vitest'
import { type OutlineCall, outlineCalls } from '../../src/folds/outline-calls.js'
import { assistant, result } from '../support/events.js'
import { type Entry, eventList } from '../support/fold-events.js'

const ask = (...ids: string[]) => ['assistant/message', { message: assistant('', ids) }] as const
const run = (callId: string) => ['tool/call', { callId }] as const
const answer = (callId: string, isError?: boolean) =>
  ['tool/result', { message: result(callId, 'x', isError) }] as const
const calls = (...entries: Entry[]) => eventList(...entries).reduce<readonly OutlineCall[]>(outlineCalls, [])

describe('outlineCalls', () => {
  it('follows each call from the block that makes it to its result', () => {
    expect(calls(ask('a', 'b', 'c'), run('b'), answer('b', true), run('a'), answer('a'))).toEqual([
      { callId: 'a', name: 'tool', callSeq: 3, resultSeq: 4, isError: false },
      { callId: 'b', name: 'tool', callSeq: 1, resultSeq: 2, isError: true },
      { callId: 'c', name: 'tool' },
    ])
  })

  it('gives repeated ids their events one after the other', () => {
    expect(calls(ask('a', 'a'), run('a'), run('a'), answer('a')).map(call => [call.callSeq, call.resultSeq])).toEqual([
      [1, 3],
      [2, undefined],
    ])
  })

  it('passes over what belongs to no call', () => {
    const before = calls(ask('a'))
    for (const entry of [run('z'), answer('z'), ['tool/call', null], ['todo/write', {}]] as const) {
      expect(outlineCalls(before, eventList(entry)[0]!)).toBe(before)
    }
  })
})
