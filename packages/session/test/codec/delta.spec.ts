import type { SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { type DeltaPayload, deltaText, isSameBlock, readDelta } from '../../src/codec/delta.js'

const textChunk = { type: 'text-delta', index: 0, text: 'x' }
const callChunk = { type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: 'x' }
const namedChunk = { type: 'tool-call-delta', index: 0, id: 'c', name: 'n', argumentsDelta: 'x' }
const payload = (chunk: object, turn = 1, step = 1) => ({ turn, step, chunk }) as DeltaPayload
const event = (data: unknown, envelope: object = {}) =>
  ({ type: 'assistant/chunk', seq: 0, time: 0, ...envelope, data }) as SessionEvent

describe('readDelta', () => {
  it('takes the three kinds of deltas in their exact shape', () => {
    for (const chunk of [textChunk, { ...textChunk, type: 'reasoning-delta' }, callChunk, namedChunk]) {
      expect(readDelta(event(payload(chunk)))).toEqual(payload(chunk))
    }
  })

  it.each([
    ['another chunk', payload({ type: 'block-start', index: 0, blockType: 'text' })],
    ['a chunk of a plugin', payload({ type: 'audio-delta', index: 0, text: 'x' })],
    ['an extra key', payload({ ...textChunk, extra: 1 })],
    ['a missing key', payload({ type: 'text-delta', index: 0 })],
    ['a key order of its own', payload({ index: 0, type: 'text-delta', text: 'x' })],
    [
      'a name in another place',
      payload({ type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: 'x', name: 'n' }),
    ],
    ['a name that is no string', payload({ ...namedChunk, name: null })],
    ['an id that is no string', payload({ ...callChunk, id: 1 })],
    ['text that is no string', payload({ ...textChunk, text: 1 })],
    ['arguments that are no string', payload({ ...callChunk, argumentsDelta: {} })],
    ['a fractional index', payload({ ...textChunk, index: 0.5 })],
    ['an index that is no number', payload({ ...textChunk, index: '0' })],
    ['a fractional turn', payload(textChunk, 0.5)],
    ['a huge step', payload(textChunk, 1, 2 ** 60)],
    ['a payload with an extra key', { ...payload(textChunk), extra: 1 }],
    ['a payload in another key order', { step: 1, turn: 1, chunk: textChunk }],
    ['a payload that is a list', [1, 1, textChunk]],
    ['a payload that is null', null],
    ['a chunk that is a string', { turn: 1, step: 1, chunk: 'text-delta' }],
  ])('leaves out %s', (_, data) => {
    expect(readDelta(event(data))).toBeUndefined()
  })

  it('leaves out events with another envelope', () => {
    expect(readDelta(event(payload(textChunk), { type: 'plugin/chunk' }))).toBeUndefined()
    expect(readDelta(event(payload(textChunk), { time: 0.5 }))).toBeUndefined()
    expect(readDelta(event(payload(textChunk), { surfaceOp: 'append' }))).toBeUndefined()
    expect(readDelta(event(payload(textChunk), { sourceEventSeqs: [] }))).toBeUndefined()
  })
})

describe('isSameBlock', () => {
  it('ignores the text and nothing else', () => {
    expect(isSameBlock(payload(textChunk), payload({ ...textChunk, text: 'other' }))).toBe(true)
    expect(isSameBlock(payload(namedChunk), payload({ ...namedChunk, argumentsDelta: 'other' }))).toBe(true)
    const others = [
      payload({ ...textChunk, type: 'reasoning-delta' }),
      payload({ ...textChunk, index: 1 }),
      payload(textChunk, 2),
      payload(textChunk, 1, 2),
      payload(callChunk),
    ]
    for (const other of others) expect(isSameBlock(payload(textChunk), other)).toBe(false)
    expect(isSameBlock(payload(callChunk), payload({ ...callChunk, id: 'd' }))).toBe(false)
    expect(isSameBlock(payload(callChunk), payload(namedChunk))).toBe(false)
    expect(isSameBlock(payload(namedChunk), payload({ ...namedChunk, name: 'm' }))).toBe(false)
  })
})

describe('deltaText', () => {
  it('finds the piece of each kind', () => {
    expect(deltaText(payload(textChunk).chunk)).toBe('x')
    expect(deltaText(payload({ ...callChunk, argumentsDelta: '{' }).chunk)).toBe('{')
  })
})
