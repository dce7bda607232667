import { describe, expect, expectTypeOf, it } from 'vitest'
import { type CallId, callId, type MessageId, messageId, mintCallId, mintMessageId } from '../src/ids.js'

describe('branding', () => {
  it.each(['c0', ' ', '\ud800', '../x', 'a'.repeat(10_000)])('keeps the string as it is (%#)', text => {
    expect(callId(text)).toBe(text)
    expect(messageId(text)).toBe(text)
  })

  it('refuses an empty string and says what was expected', () => {
    expect(() => callId('')).toThrow(new TypeError('expected a non-empty string as call id, found an empty string'))
    expect(() => messageId('')).toThrow(TypeError)
  })

  it.each([undefined, null, 7, {}, ['c0']])('refuses what is no string (%#)', value => {
    expect(() => messageId(value as unknown as string)).toThrow(/expected a non-empty string as message id/)
  })

  it('keeps ids of different kinds and plain strings apart at compile time', () => {
    expectTypeOf(callId('a')).toEqualTypeOf<CallId>()
    expectTypeOf<CallId>().toExtend<string>()
    expectTypeOf<string>().not.toExtend<CallId>()
    expectTypeOf<CallId>().not.toExtend<MessageId>()
    expectTypeOf<MessageId>().not.toExtend<CallId>()
  })
})

describe('minting', () => {
  it('gives a different id every time', () => {
    const ids = Array.from({ length: 1000 }, (_, at) => (at % 2 ? mintCallId() : mintMessageId()))
    expect(new Set<string>(ids).size).toBe(1000)
  })
})
