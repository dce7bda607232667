import { describe, expect, it } from 'vitest'
import { callId } from '../../src/rules/call-id.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { assistant, call, raw, say } from '../support/draft.js'

describe('call-id', () => {
  it('accepts an id that a provider uses again in a later message', () => {
    const message = assistant([say('Reading'), call('c0'), call('c1')])
    expect(brokenBy(callId, message, message)).toEqual([])
  })

  it('refuses an id twice in one message', () => {
    expect(complaints(callId, assistant([call('c0'), say('and'), call('c0', 'write')]))).toEqual([
      'expected call ids unique in their message, found "c0" twice at data.message.content[2].id',
    ])
  })

  it('refuses it in a rewritten message too', () => {
    const rewrite = { surfaceOp: { op: 'replace', start: 0, end: 0 } } as const
    expect(brokenBy(callId, assistant([call('c0'), call('c0')], rewrite))).toEqual([0])
  })

  it('ignores events of other types', () => {
    expect(brokenBy({ ...callId, types: ['a/b'] }, raw('a/b'))).toEqual([])
  })
})
