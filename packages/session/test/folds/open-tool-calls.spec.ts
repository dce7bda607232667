import { openToolCalls } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { assistant, result } from '../support/events.js'
import { type Entry, eventList, foldEvents } from '../support/fold-events.js'

const at = { turn: 1, step: 1 }
const start = ['turn/start', { turn: 1 }] as const
const ask = (...ids: string[]) => ['assistant/message', { ...at, message: assistant('', ids) }] as const
const run = (callId: string) => ['tool/call', { ...at, callId, name: 'tool', arguments: '{}' }] as const
const answer = (callId: string) => ['tool/result', { ...at, message: result(callId, 'ok') }] as const
const open = (...entries: Entry[]) => foldEvents(openToolCalls, eventList(start, ...entries))
const ids = (...entries: Entry[]) => open(...entries).map(call => call.callId)

describe('openToolCalls', () => {
  it('lists calls in block order until they are answered, in whatever order that happens', () => {
    expect(ids(ask('a', 'b', 'c'))).toEqual(['a', 'b', 'c'])
    expect(ids(ask('a', 'b', 'c'), run('c'), run('b'), answer('b'))).toEqual(['a', 'c'])
    expect(ids(ask('a', 'b'), answer('b'), answer('a'))).toEqual([])
  })

  it('says what was called, where, and whether it has started', () => {
    const call = { callId: 'a', name: 'tool', arguments: '{}', turn: 1, step: 1 }
    expect(open(ask('a', 'b'), run('b'))).toEqual([call, { ...call, callId: 'b', callSeq: 2 }])
  })

  it('keeps the first start where a call was started twice', () => {
    expect(open(ask('a'), run('a'), run('a'))[0]?.callSeq).toBe(2)
  })

  it('pairs a call id that a provider uses again with the call it belongs to', () => {
    const first = [ask('c0'), answer('c0')] as const
    expect(ids(...first, ask('c0'))).toEqual(['c0'])
    expect(ids(...first, ['turn/end', {}], ['turn/start', {}], ask('c0'), answer('c0'))).toEqual([])
  })

  it('waits for one answer when a message uses an id twice', () => {
    expect(ids(ask('a', 'a'))).toEqual(['a'])
    expect(ids(ask('a', 'a'), answer('a'))).toEqual([])
  })

  it('forgets calls at the next turn boundary', () => {
    expect(ids(ask('a'), ['turn/end', {}])).toEqual([])
    expect(ids(ask('a'), ['turn/start', {}])).toEqual([])
  })

  it('keeps a call open when its step has ended over it', () => {
    expect(ids(ask('a'), ['step/end', at])).toEqual(['a'])
  })

  it('takes no calls from rewrites, and no answers', () => {
    const replace = { surfaceOp: { op: 'replace', start: 1, end: 1 }, sourceEventSeqs: [1] }
    expect(ids(ask('a'), ['assistant/message', { ...at, message: assistant('x', ['b']) }, replace])).toEqual(['a'])
    expect(ids(ask('a'), ['user/message', {}, replace])).toEqual(['a'])
    expect(ids(ask('a'), ['tool/result', { ...at, message: result('a', 'x') }, replace])).toEqual(['a'])
  })

  it('lists a tool that a foreign log runs without a message', () => {
    const call = { callId: 'x', name: '', arguments: '', turn: 0, step: 0, callSeq: 1 }
    expect(open(['tool/call', { callId: 'x', name: 7 }])).toEqual([call])
    expect(ids(['tool/call', { callId: 'x' }], answer('x'))).toEqual([])
  })

  it.each([null, 'x', {}, { callId: 7 }, { callId: '' }])('passes over a tool call of %j', data => {
    expect(ids(ask('a'), ['tool/call', data])).toEqual(['a'])
  })

  it('passes over an answer to nobody', () => {
    expect(ids(ask('a'), answer('z'))).toEqual(['a'])
  })
})
