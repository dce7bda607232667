import { describe, expect, it } from 'vitest'
import { readEvent } from '../../src/codec/read-event.js'
import { expectError } from '../support/expect-error.js'

const line = { type: 'user/message', seq: 9, time: 5, surfaceOp: 'append', sourceEventSeqs: [[1, 3]], data: { a: [] } }
const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

describe('readEvent', () => {
  it('reads the envelope and leaves the payload as it is', () => {
    expect(readEvent(line)).toEqual({ ...line, sourceEventSeqs: [1, 2, 3] })
    for (const data of [null, 0, '', false, [], {}]) {
      expect(readEvent({ type: 'a/b', seq: 0, time: -5, data })).toEqual({ type: 'a/b', seq: 0, time: -5, data })
    }
  })

  it('keeps absent metadata absent', () => {
    const { sourceEventSeqs: _, ...unsourced } = line
    expect(Object.keys(readEvent(unsourced))).toEqual(['type', 'seq', 'time', 'surfaceOp', 'data'])
  })

  it.each([
    [{ type: 'bare' }, 'type'],
    [{ type: '/b' }, 'type'],
    [{ type: 5 }, 'type'],
    [{ seq: '9' }, 'seq'],
    [{ seq: -1 }, 'seq'],
    [{ time: 0.5 }, 'time'],
    [{ time: undefined }, 'time'],
    [{ data: undefined }, 'data'],
    [{ n: 1 }, 'n'],
    [JSON.parse('{"__proto__":1}'), '__proto__'],
    [{ surfaceOp: null }, 'surfaceOp'],
    [{ surfaceOp: [] }, 'surfaceOp'],
    [{ sourceEventSeqs: null }, 'sourceEventSeqs'],
  ])('refuses an envelope with %j', (change, path) => {
    const changed = Object.defineProperties({ ...line }, Object.getOwnPropertyDescriptors(change))
    expect(expectError('INVALID_EVENT', () => readEvent(changed)).path).toBe(path)
  })

  it('refuses a payload that is nested deeper than the log accepts, however deep', () => {
    const data = nested(1000)
    expect(readEvent({ ...line, data }).data).toBe(data)
    for (const levels of [1001, 100_000]) {
      expect(expectError('INVALID_EVENT', () => readEvent({ ...line, data: nested(levels) })).path).toBe('data')
    }
  })
})
