import { isSurfaceEligibleType, isSurfaceEvent, type SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { readSurfaceIntent, readSurfaceOp } from '../src/surface-op.js'
import { expectError } from './support/expect-error.js'

describe('isSurfaceEligibleType', () => {
  it('knows the four message types and no other', () => {
    const types = ['user/message', 'assistant/message', 'tool/result', 'steering/message']
    expect(types.every(isSurfaceEligibleType)).toBe(true)
    for (const type of ['context/message', 'assistant/chunk', 'tool/call', 'x/y', 'constructor']) {
      expect(isSurfaceEligibleType(type)).toBe(false)
    }
  })
})

describe('isSurfaceEvent', () => {
  it('narrows an event to the ones with a marker', () => {
    const event = { type: 'user/message', seq: 0, time: 0, surfaceOp: 'append', data: {} } as unknown as SessionEvent
    expect(isSurfaceEvent(event) && event.surfaceOp).toBe('append')
    expect(isSurfaceEvent({ type: 'turn/start' })).toBe(false)
  })
})

describe('readSurfaceIntent', () => {
  it('copies and freezes what it accepts', () => {
    const sources = [3, 1]
    const intent = readSurfaceIntent('user/message', 5, {
      surfaceOp: { op: 'replace', start: 1, end: 3 },
      sourceEventSeqs: sources,
    })
    sources.push(4)
    expect(intent).toEqual({ surfaceOp: { op: 'replace', start: 1, end: 3 }, sourceEventSeqs: [3, 1] })
    expect(Object.isFrozen(intent?.sourceEventSeqs) && Object.isFrozen(intent?.surfaceOp)).toBe(true)
  })

  it('lets only an assistant/message know of an empty stream', () => {
    const empty = { surfaceOp: 'append', sourceEventSeqs: [] }
    expect(readSurfaceIntent('assistant/message', 0, empty)).toEqual(empty)
    for (const type of ['user/message', 'tool/result', 'steering/message']) {
      expect(expectError('SURFACE_CONFLICT', () => readSurfaceIntent(type, 0, empty)).path).toBe('sourceEventSeqs')
    }
  })

  it('takes no metadata on a log-only type, and demands it on a message', () => {
    expect(readSurfaceIntent('turn/start', 0, undefined)).toBeUndefined()
    expectError('SURFACE_CONFLICT', () => readSurfaceIntent('turn/start', 0, { surfaceOp: 'append' }))
    expectError('SURFACE_CONFLICT', () => readSurfaceIntent('turn/start', 0, {}))
    expectError('SURFACE_CONFLICT', () => readSurfaceIntent('plugin/fact', 0, null))
    expectError('SURFACE_CONFLICT', () => readSurfaceIntent('user/message', 0, undefined))
    expectError('SURFACE_CONFLICT', () => readSurfaceIntent('user/message', 0, 'append'))
    expectError('SURFACE_CONFLICT', () => readSurfaceIntent('user/message', 0, null))
  })

  const bad: [string, object][] = [
    ['an unknown key', { surfaceOp: 'append', extra: 1 }],
    ['a symbol key', { surfaceOp: 'append', [Symbol('s')]: 1 }],
    ['no operation', {}],
    ['sources that are not a list', { surfaceOp: 'append', sourceEventSeqs: 3 }],
    ['sources that are null', { surfaceOp: 'append', sourceEventSeqs: null }],
    ['sources that are undefined', { surfaceOp: 'append', sourceEventSeqs: undefined }],
    ['a source that is its own seq', { surfaceOp: 'append', sourceEventSeqs: [5] }],
    ['a later source', { surfaceOp: 'append', sourceEventSeqs: [9] }],
    ['a negative source', { surfaceOp: 'append', sourceEventSeqs: [-1] }],
    ['a source of -0', { surfaceOp: 'append', sourceEventSeqs: [-0] }],
    ['a fractional source', { surfaceOp: 'append', sourceEventSeqs: [1.5] }],
    ['a source as text', { surfaceOp: 'append', sourceEventSeqs: ['1'] }],
    ['a repeated source', { surfaceOp: 'append', sourceEventSeqs: [1, 2, 1] }],
    ['a sparse list', { surfaceOp: 'append', sourceEventSeqs: new Array(2) }],
    ['a list with a property', { surfaceOp: 'append', sourceEventSeqs: Object.assign([1], { x: 1 }) }],
    ['a list with a symbol', { surfaceOp: 'append', sourceEventSeqs: Object.assign([1], { [Symbol('s')]: 1 }) }],
  ]
  it.each(bad)('refuses %s', (_, intent) => {
    expectError('SURFACE_CONFLICT', () => readSurfaceIntent('user/message', 5, intent))
  })

  it('names the place of a wrong source', () => {
    const intent = { surfaceOp: 'append', sourceEventSeqs: [0, 1, 7] }
    expect(expectError('SURFACE_CONFLICT', () => readSurfaceIntent('user/message', 5, intent))).toMatchObject({
      path: 'sourceEventSeqs[2]',
      found: '7',
      seq: 5,
    })
  })

  it('refuses metadata behind a getter that throws', () => {
    const intent = {
      get surfaceOp(): string {
        throw new Error('gone')
      },
    }
    expectError('NOT_JSON', () => readSurfaceIntent('user/message', 5, intent))
  })
})

describe('readSurfaceOp', () => {
  it.each([
    undefined,
    null,
    'replace',
    7,
    {},
    { op: 'append' },
    { op: 'replace', start: 1 },
    { op: 'replace', start: 1, end: -1 },
    { op: 'replace', start: 1.5, end: 2 },
    { op: 'replace', start: 1, end: 2, extra: 3 },
    ['append'],
  ])('refuses %j', op => {
    expect(expectError('SURFACE_CONFLICT', () => readSurfaceOp(5, op)).path).toBe('surfaceOp')
  })
})
